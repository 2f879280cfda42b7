import { typeName } from '../../texts/type-name.ts';

// Event names that end in the action, such as `ENTITLEMENT_CREATE`.
const FAMILY = /^(ENTITLEMENT|LOBBY_MESSAGE|GAME_DIRECT_MESSAGE)_(CREATE|UPDATE|DELETE)$/;

/** The type of an event. */
export function discordType(name: unknown): string {
  if (typeof name !== 'string') return 'discord';
  const family = FAMILY.exec(name)?.[1];
  if (family === undefined) return typeName(name.toLowerCase(), 'discord');
  return family === 'ENTITLEMENT' ? 'entitlement' : 'message';
}

/** The action of an event, such as `created`; `null` when its name says none. */
export function discordAction(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  const done = FAMILY.exec(name)?.[2] ?? /^APPLICATION_(AUTHORIZE|DEAUTHORIZE)D$/.exec(name)?.[1];
  return done === undefined ? null : `${done.toLowerCase()}d`;
}
