/** The prefix of each kind of ID. An ID is `<prefix>_` and 26 lower-case base32 characters of 128 time-ordered bits. */
export const ID_PREFIXES = {
  workspace: 'ws',
  user: 'usr',
  integration: 'int',
  event: 'evt',
  webhook: 'whk',
  delivery: 'dlv',
  attempt: 'att',
  apiKey: 'key',
  automation: 'aut',
  run: 'run',
  notificationRule: 'nrl',
  notificationTemplate: 'ntp',
  notification: 'ntf',
  message: 'msg',
  audit: 'aud',
  request: 'req',
  invitation: 'inv',
  recovery: 'rec',
  oauthFlow: 'oaf',
  provider: 'prv',
} as const;

/** A kind of ID. */
export type IdKind = keyof typeof ID_PREFIXES;

/** Crockford's base32 in lower case. It has no i, l, o or u, and its text sorts in the order of the encoded bits. */
export const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const patterns = Object.fromEntries(
  Object.entries(ID_PREFIXES).map(([kind, prefix]) => [
    kind,
    new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`),
  ]),
) as Record<IdKind, RegExp>;

// 128 bits: one digit of 3 bits, and 25 of 5.
const DIGITS = 26;

/** The length of an ID of one kind, in characters. */
export function idLength(kind: IdKind): number {
  return ID_PREFIXES[kind].length + '_'.length + DIGITS;
}

/** The pattern of one kind of ID, anchored at both ends. */
export function idPattern(kind: IdKind): RegExp {
  return patterns[kind];
}

/** Reports whether `text` is a well-formed ID of that kind. A malformed ID gets 404, exactly like an unknown one. */
export function isId(kind: IdKind, text: string): boolean {
  return patterns[kind].test(text);
}
