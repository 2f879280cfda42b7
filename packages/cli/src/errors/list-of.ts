import type { Parsed } from '../parser/parse.ts';

/** The command that lists each thing that a server may not find, by its name in the message. */
const LISTS: Readonly<Record<string, string>> = {
  'API key': 'key list',
  'OAuth app': 'provider apps',
  'OAuth provider': 'provider apps',
  automation: 'automation list',
  delivery: 'delivery list',
  event: 'event list',
  integration: 'integration list',
  member: 'member list',
  notification: 'notification list',
  'notification rule': 'rule list',
  'notification template': 'template list',
  provider: 'provider definitions',
  user: 'member list',
  webhook: 'webhook list',
  workspace: 'workspace list',
};

/** Things that a server does not list. */
const UNLISTED = ['recovery', 'OAuth flow', 'version of the template'];

/** The command that lists the kind of thing that was not found; `undefined` if there is none, `null` if the message names no kind. */
export function listOf(
  message: string,
  { automation = '<automation>' }: Parsed['args'],
): string | undefined | null {
  const [, thing = ''] = /^No such ([\w ]+)\./.exec(message) ?? [];
  if (thing === 'run') return `automation runs ${automation.toString()}`;
  if (UNLISTED.includes(thing)) return undefined;
  return Object.hasOwn(LISTS, thing) ? (LISTS[thing] ?? null) : null;
}
