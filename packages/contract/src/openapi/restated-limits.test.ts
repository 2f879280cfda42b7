import { expect, it } from 'vitest';
import { LIMITS } from '../constants/limits.ts';
import { openApiDocument } from './document.ts';

// A description says numbers for people: "at most 7 days". Each of them must be the bound of its own schema, or part of a
// text below, which is made from the limit.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const words = new Intl.NumberFormat('en-US');
const count = (value: number): string => words.format(value);
const kib = (bytes: number): string => `${bytes / 1024} KiB`;
const mib = (bytes: number): string => `${bytes / 1024 ** 2} MiB`;
const delay = (ms: number): string => (ms < MINUTE_MS ? `${ms / SECOND_MS} s` : `${ms / MINUTE_MS} min`);
const retriedMs = LIMITS.retryDelaysMs.reduce<number>((sum, ms) => sum + ms, 0);

const RESTATED = [
  `${count(LIMITS.requestsPerWindow)} requests a minute`,
  `${count(LIMITS.requestsPerWindow)} requests of this minute`,
  `more than ${mib(LIMITS.bodyBytes)}; without an API key, more than ${kib(LIMITS.publicBodyBytes)}; for ingest, more than ${mib(LIMITS.ingestBodyBytes)}`,
  `more than ${mib(LIMITS.pageBytes)}`,
  `A request can be up to ${mib(LIMITS.bodyBytes)}`,
  `in a request of at most ${mib(LIMITS.bodyBytes)}`,
  `stores the outcome for ${LIMITS.idempotencyWindowMs / HOUR_MS} hours`,
  `1 to ${LIMITS.nameMax} characters`,
  `${LIMITS.slugMin} to ${LIMITS.slugMax} characters`,
  `Stores up to ${count(LIMITS.batchMax)} events`,
  `more than ${count(LIMITS.deliveriesAtOnce)} deliveries`,
  `has ${count(LIMITS.automationsMax)} automations`,
  `has ${count(LIMITS.rulesMax)} rules`,
  `has ${count(LIMITS.providersMax)} definitions`,
  `last ${LIMITS.attemptsShown} attempts`,
  `link that is valid for ${LIMITS.invitationMs / DAY_MS} days`,
  `link for the invitee, valid for ${LIMITS.invitationMs / DAY_MS} days`,
  `Creates a new link, valid for ${LIMITS.invitationMs / DAY_MS} days`,
  `the old secret stays valid, at most ${(LIMITS.overlapMaxSeconds * SECOND_MS) / DAY_MS} days`,
  `a signature with the old secret, at most ${(LIMITS.overlapMaxSeconds * SECOND_MS) / DAY_MS} days`,
  `calls with the old secret are accepted, at most ${(LIMITS.overlapMaxSeconds * SECOND_MS) / DAY_MS} days`,
  `Seconds to wait, at most ${(LIMITS.waitMaxSeconds * SECOND_MS) / DAY_MS} days`,
  `failed for ${LIMITS.failingMaxMs / DAY_MS} days`,
  `within ${LIMITS.attemptTimeoutMs / SECOND_MS} seconds`,
  `There are ${LIMITS.retryDelaysMs.length} attempts; the delays before them are ${LIMITS.retryDelaysMs.map(delay).join(', ')}`,
  `retried for about ${Math.round(retriedMs / MINUTE_MS)} minutes`,
  `later, by at most ${LIMITS.retryAfterMaxMs / HOUR_MS} hour`,
  `Up to ${kib(LIMITS.responseKeepBytes)} of the body`,
  `The first ${kib(LIMITS.responseKeepBytes)} of the response`,
];

// Not limits of the API, but behavior of this server, which its own tests check.
const OTHERS = [
  'A comment every 10 seconds',
  'reads nothing for 15 seconds',
  'the last 10 runs',
  'The last 20 backups',
  '20 of 3 minutes, 24 of an hour, or 24 of 7 hours',
  'as JSON of at most 200 characters',
  'for people, at most 280 characters',
  'cut to 2 KiB',
  'Payloads of more than 64 KiB are not searched',
];

/** A prefix and its characters are the shape of an ID or a key, and have their own tests. */
const SHAPE = /`[a-z]+_` and \d+ characters|a prefix and 26 characters/g;
const QUANTITY =
  /\b((?:\d[\d,]* to )?\d[\d,]*)\s(?:characters|items|events|deliveries|requests|attempts|runs|rules|automations|definitions|backups|(?:day|hour|minute|second)s?|s|min|[KM]iB)\b/g;

type Schema = Record<string, unknown>;

/** Every schema or object of the document that has a description. */
function described(value: unknown): (Schema & { description: string })[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'description' in value && typeof value.description === 'string' ? [value as never] : [];
  return [...own, ...Object.values(value).flatMap(described)];
}

const nodes = described(openApiDocument('1.2.3'));

/** The bounds of a schema, or those of its alternatives, as descriptions say them. */
const boundsOf = (schema: Schema): string[] =>
  [schema, ...((schema['anyOf'] ?? []) as Schema[])].flatMap((one) =>
    ['Length', 'Items'].flatMap((of) => {
      const [least, most] = [one[`min${of}`], one[`max${of}`]];
      return typeof most === 'number' ? [count(most), `${String(least)} to ${count(most)}`] : [];
    }),
  );

it('says no number in a description that is not the bound of its schema, or made from a limit', () => {
  const known = [...RESTATED, ...OTHERS];
  const wrong = nodes.flatMap(({ description, ...schema }) => {
    const bounds = boundsOf(schema);
    const texts = bounds.length > 0 ? [] : known;
    const rest = texts.reduce((text, one) => text.replaceAll(one, ''), description.replaceAll(SHAPE, ''));
    return [...rest.matchAll(QUANTITY)]
      .filter(([, number = '']) => !bounds.includes(number))
      .map(([quantity]) => `${quantity}: ${description}`);
  });
  expect([...new Set(wrong)]).toEqual([]);
});

it.each([...RESTATED, ...OTHERS])('says: %s', (text) => {
  expect(nodes.some(({ description }) => description.includes(text))).toBe(true);
});
