import { readPointer } from '../../../domain/json/json-pointer.ts';
import { typeName } from '../../texts/type-name.ts';

// Everything that people write in a channel.
const MESSAGES: ReadonlySet<string> = new Set([
  'message',
  'app_mention',
  'reaction_added',
  'reaction_removed',
]);
// Families of events that are about one kind of thing; a group is a private channel.
const FAMILY = /^(channel|group|member|file)_/;

/** The type of an event, an interaction or a command. */
export function slackType(payload: Readonly<Record<string, unknown>>): string {
  if (typeof payload['command'] === 'string') return 'slash_command';
  const name = eventName(payload);
  if (MESSAGES.has(name)) return 'message';
  const family = FAMILY.exec(name)?.[1];
  return family === undefined ? typeName(name, 'slack') : family === 'group' ? 'channel' : family;
}

/** Slack's own name for the event or, without one, for the call around it. */
export function eventName(payload: unknown): string {
  const names = ['/event/type', '/type'].map((pointer) => readPointer(payload, pointer));
  return names.find((name) => typeof name === 'string') ?? '';
}

// A map, because names come from outside: an object would also find `constructor`.
const SUBTYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bot_message: 'posted',
    file_share: 'posted',
    me_message: 'posted',
    message_changed: 'changed',
    message_deleted: 'deleted',
    message_replied: 'replied',
    thread_broadcast: 'replied',
  }),
);

/** The action, in Slack's own words if the payload has them. */
export function slackAction(payload: unknown): string | null {
  const name = eventName(payload);
  if (name === 'message') {
    const subtype = readPointer(payload, '/event/subtype');
    if (typeof subtype !== 'string') return 'posted';
    return SUBTYPES.get(subtype) ?? subtype.slice(0, 100);
  }
  if (name === 'app_mention') return 'mentioned';
  if (name.startsWith('reaction_')) return name.slice(0, 100);
  return name.replace(FAMILY, '') === name ? null : name.replace(FAMILY, '').slice(0, 100);
}
