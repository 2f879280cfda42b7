import { describe, expect, it } from 'vitest';
import { type Counted, type CountedAttempt, STATS_COUNTS, Tally, type TallyPart } from './tally.ts';

const MINUTE = 60_000;
const KEY = { workspaceId: 'ws_1', webhookId: '', minute: 0 };

const event = (source: string, at = 0): Counted => ({ workspaceId: 'ws_1', source, at });

const attempt = (values: Partial<CountedAttempt> = {}): CountedAttempt => ({
  workspaceId: 'ws_1',
  webhookId: 'whk_1',
  at: 0,
  ok: true,
  startedAt: 0,
  durationMs: 5,
  responseStatus: 200,
  errorKind: null,
  message: null,
  ended: null,
  ...values,
});
const failed = (values: Partial<CountedAttempt> = {}) =>
  attempt({ ok: false, responseStatus: 503, message: 'busy', ...values });

function tallyOf(...counted: readonly Counted[]): Tally {
  const tally = new Tally();
  for (const one of counted) tally.count(one);
  return tally;
}
/** A tally that was stored as text and read again, which must make no difference. */
function stored(tally: Tally, parts = 50): Tally {
  const read = new Tally();
  for (const text of tally.texts(parts)) read.add(text);
  return read;
}
/** The parts, with the counts by name. */
const partsOf = (tally: Tally) =>
  tally.parts.map(({ counts, ...part }) => ({
    ...part,
    counts: Object.fromEntries(
      counts.flatMap((count, index) => (count === 0 ? [] : [[STATS_COUNTS[index], count]])),
    ),
  }));

const once = (name: string, at: number, message: string | null = null) => ({
  name,
  count: 1,
  first: at,
  last: at,
  message,
});

describe('a tally', () => {
  it.each<[string, Counted[], Record<string, number>, Omit<TallyPart, 'counts' | keyof typeof KEY>]>([
    ['an event', [event('api')], { events: 1 }, { names: [once('api', 0)], failure: null }],
    [
      'events of a source',
      [event('api', 5), event('api', 3)],
      { events: 2 },
      { names: [{ name: 'api', count: 2, first: 3, last: 5, message: null }], failure: null },
    ],
    [
      'sources that JavaScript has a meaning for',
      [event('constructor'), event('__proto__')],
      { events: 2 },
      { names: [once('constructor', 0), once('__proto__', 0)], failure: null },
    ],
    [
      'a successful attempt',
      [attempt({ ended: 'delivered' })],
      { attempts_succeeded: 1, latency_4: 1, deliveries_delivered: 1 },
      { names: [], failure: null },
    ],
    [
      'a failed attempt, whose latency says nothing',
      [failed({ ended: 'failed' })],
      { attempts_failed: 1, deliveries_failed: 1 },
      {
        names: [once('503', 0, 'busy')],
        failure: { startedAt: 0, responseStatus: 503, errorKind: null, durationMs: 5 },
      },
    ],
    [
      'an attempt without a response, by the kind of its error',
      [failed({ responseStatus: null, errorKind: 'timeout', message: null })],
      { attempts_failed: 1 },
      {
        names: [once('timeout', 0)],
        failure: { startedAt: 0, responseStatus: null, errorKind: 'timeout', durationMs: 5 },
      },
    ],
    [
      'the words and the start of the latest failure, in whatever order they come',
      [failed({ at: 2, startedAt: 2, message: 'late' }), failed({ at: 1, startedAt: 1, message: 'early' })],
      { attempts_failed: 2 },
      {
        names: [{ name: '503', count: 2, first: 1, last: 2, message: 'late' }],
        failure: { startedAt: 2, responseStatus: 503, errorKind: null, durationMs: 5 },
      },
    ],
  ])('counts %s', (_, counted, counts, part) => {
    const webhookId = counted.some((one) => 'webhookId' in one) ? 'whk_1' : '';
    const parts = [{ ...KEY, webhookId, counts, ...part }];
    expect(partsOf(tallyOf(...counted))).toEqual(parts);
    expect(partsOf(stored(tallyOf(...counted)))).toEqual(parts);
  });

  it('has a part for each minute of a webhook or workspace', () => {
    const tally = tallyOf(
      event('api', MINUTE - 1),
      event('api', MINUTE),
      attempt({ at: MINUTE }),
      attempt({ at: 2 * MINUTE - 1 }),
      attempt({ at: MINUTE, webhookId: 'whk_2' }),
    );
    expect(partsOf(tally).map(({ minute, webhookId, counts }) => [minute, webhookId, counts])).toEqual([
      [0, '', { events: 1 }],
      [MINUTE, '', { events: 1 }],
      [MINUTE, 'whk_1', { attempts_succeeded: 2, latency_4: 2 }],
      [MINUTE, 'whk_2', { attempts_succeeded: 1, latency_4: 1 }],
    ]);
  });

  it('adds up the counts of several tallies', () => {
    const counted = [
      event('api'),
      event('git', 7),
      attempt(),
      failed({ startedAt: 9 }),
      event('api', MINUTE),
    ];
    const sum = new Tally();
    for (const one of counted) for (const text of tallyOf(one).texts(50)) sum.add(text);
    expect(partsOf(sum)).toEqual(partsOf(tallyOf(...counted)));
  });

  it('can be sorted by workspace, webhook and minute', () => {
    const keys = [
      ['ws_2', 'whk_1', 0],
      ['ws_1', 'whk_2', MINUTE],
      ['ws_1', 'whk_2', 0],
      ['ws_1', 'whk_1', 2 * MINUTE],
    ] as const;
    const tally = tallyOf(
      ...keys.map(([workspaceId, webhookId, at]) => attempt({ workspaceId, webhookId, at })),
    );
    tally.sort();
    const sorted = tally.parts.map(({ workspaceId, webhookId, minute }) => [workspaceId, webhookId, minute]);
    expect(sorted).toEqual(keys.toReversed());
  });

  it.each([
    [0, 50, 0],
    [50, 50, 1],
    [51, 50, 2],
    [5, 2, 3],
  ])('of %i parts, in texts of %i, makes %i', (parts, partsMax, texts) => {
    const webhooks = Array.from({ length: parts }, (_, index) => attempt({ webhookId: `whk_${index}` }));
    const tally = tallyOf(...webhooks);
    expect(tally.texts(partsMax)).toHaveLength(texts);
    expect(partsOf(stored(tally, partsMax))).toEqual(partsOf(tally));
  });

  it('tells 30 sources of a workspace in a minute apart, and counts the events of all', () => {
    const sources = Array.from({ length: 40 }, (_, index) => event(`source ${index % 35}`));
    for (const tally of [tallyOf(...sources), stored(tallyOf(...sources))]) {
      const [part] = partsOf(tally);
      expect(part?.counts).toEqual({ events: 40 });
      expect(part?.names).toHaveLength(30);
      expect(part?.names[0]).toMatchObject({ name: 'source 0', count: 2 });
    }
  });
});
