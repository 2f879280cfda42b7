import { HEADERS } from '@hubline/contract/constants';
import type { Parsed } from '../parser/parse.ts';
import { camelCase, isGiven } from '../spec/flag.ts';
import { type ErrorReport, saysAlready } from './describe-error.ts';

/** The part of a line that tells which words fill which fields. */
type Typed = Pick<Parsed, 'command' | 'args' | 'flags'>;

/** A field or a header, and the place below it: `scopes`, `[0]`. */
const FIELD = /^([\w-]+)([.[].*)?$/;
/** The global flags that fill a part of a request. */
const OF_EVERY_COMMAND = { workspace: true, 'idempotency-key': true };
/** The fields that an issue mentions: `event_id`, or a plain word after one of these. */
const MENTIONED = /\b[a-z]+(?:_[a-z]+)+\b|(?<=\b(?:before|after|with|without) )[a-z]+\b/g;
/** The endings of fields that their flags do not have. */
const ENDINGS = [/$/, /-ids?$/, /-seconds$/, /-at$/, /s$/, /es$/];
/** The flags that take a document, whose fields the user wrote. */
const DOCUMENTS = ['file', 'config', 'definition'];

/** An error for people: its message, and each detail that the message does not have. Fields are named as they were typed, by flag or argument. */
export function asWorded(
  { message, details }: Pick<ErrorReport, 'message' | 'details'>,
  typed: Typed | undefined,
): { message: string; more: readonly string[] } {
  const field = (name: string): string => (typed && typedName(typed, name)) ?? name;
  const issue = (text: string): string => text.replace(MENTIONED, field);
  const [first] = details;
  // The message of a refusal begins with the first field.
  const begins = first && message.startsWith(`${first.field} `);
  return {
    message: begins ? field(first.field) + issue(message.slice(first.field.length)) : message,
    more: details
      .filter((detail) => !saysAlready(message, `${detail.field} ${detail.issue}`))
      .map((detail) => `${field(detail.field)}: ${issue(detail.issue)}`),
  };
}

/** The flag or the argument that fills a field of a request; `undefined` if none does. */
export function typedName({ command, args: given, flags }: Typed, field: string): string | undefined {
  const { typed = {}, args = {} } = command;
  // The user of `hubline api` writes everything but this header.
  if (typed === false) return field === HEADERS.idempotencyKey ? '--idempotency-key' : undefined;
  // If the line also has a document, a field belongs to a flag only if that flag was given, and the arguments only fill the path.
  const hasDocument = DOCUMENTS.some((name) => isGiven(flags[name]));
  const isTyped = (flag: string): boolean => isGiven(flags[camelCase(flag)]) || !hasDocument;
  for (const [start, flag] of Object.entries(typed)) {
    if (!field.startsWith(start) || !isTyped(flag.slice(2).trim())) continue;
    const rest = field.slice(start.length);
    if (start.endsWith('.')) return `${flag}${rest}`;
    if (/^(?:[.[]|$)/.test(rest)) return within(flag, rest);
  }
  const [, head = '', rest = ''] = FIELD.exec(field) ?? [];
  const kebab = head.replaceAll(/_|(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  const names = ENDINGS.map((ending) => kebab.replace(ending, ''));
  const flag = names.find((name) => name in { ...command.flags, ...OF_EVERY_COMMAND } && isTyped(name));
  if (flag !== undefined) return within(`--${flag}`, rest);
  if (hasDocument) return undefined;
  const argument = names.find((name) => name in args);
  if (argument === undefined) return undefined;
  return within(onlyItem(given[argument]) ?? `<${argument}>`, rest);
}

/** The one item that an argument names; `undefined` if there is none, if there are more, or if they come from stdin. */
function onlyItem(value: Parsed['args'][string]): string | undefined {
  const [item, ...others] = Array.isArray(value) ? value : [value];
  return others.length > 0 || item === '-' || item === '' ? undefined : item;
}

/** A place in the value of a flag. A flag that is given several times has one value each. */
function within(flag: string, place: string): string {
  const path = place.replace(/^\[\d+\]/, '').replace(/^\./, '');
  return path === '' ? flag : `${path} in ${flag}`;
}
