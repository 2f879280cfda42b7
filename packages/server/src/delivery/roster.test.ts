import { describe, expect, it } from 'vitest';
import type { Job } from '../job.ts';
import { type Allotments, Roster } from './roster.ts';

const START = Date.UTC(2026, 0, 1);

function rosterOf({ concurrency = 100, first = 4, most = 64 } = {}) {
  let now = START;
  const roster = new Roster({ clock: () => new Date(now), concurrency, perWebhook: { first, most } });
  return { roster, at: (ms: number) => void (now = START + ms) };
}

/** `a1`: the first webhook of workspace a. */
const named = (name: string) => ({ webhookId: name, workspaceId: name.slice(0, 1) });
const webhookOf = (name: string) => ({ id: name, workspace_id: name.slice(0, 1) }) as Job['webhook'];

/** How many of each webhook may be claimed, new ones and those that are sent again. */
const claimsOf = (allotments: Allotments) =>
  Object.fromEntries(
    [...allotments].map(([{ webhookId }, { claims }]) => [webhookId, [claims.first, claims.again]]),
  );

describe('places are shared', () => {
  it.each<[what: string, concurrency: number, due: string[], given: Record<string, [number, number]>]>([
    ['nobody has anything due', 100, [], {}],
    ['a webhook gets as many as it may have at first', 100, ['a1'], { a1: [4, 0] }],
    ['and no more than there are', 3, ['a1'], { a1: [3, 0] }],
    [
      'workspaces get the same, however many webhooks they have',
      6,
      ['a1', 'a2', 'a3', 'b1'],
      { a1: [3, 0], b1: [3, 0] },
    ],
    [
      'what one cannot use goes to the others',
      12,
      ['a1', 'a2', 'a3', 'b1'],
      { a1: [4, 0], a2: [2, 0], a3: [2, 0], b1: [4, 0] },
    ],
    ['one place for each of many', 3, ['a1', 'b1', 'c1', 'd1'], { a1: [1, 0], b1: [1, 0], c1: [1, 0] }],
  ])('%s', (_what, concurrency, due, given) => {
    const { roster } = rosterOf({ concurrency });
    for (const name of due) roster.wake({ ...named(name), line: 'first' });
    expect(claimsOf(roster.allot())).toEqual(given);
    // Everything that was given is held.
    expect(claimsOf(roster.allot())).not.toMatchObject(given.a1 ? { a1: given.a1 } : { nothing: true });
  });

  it('half of them, at most, with what is sent again', () => {
    const { roster } = rosterOf({ concurrency: 4, first: 64 });
    roster.wake({ ...named('a1'), line: 'again' });
    expect(claimsOf(roster.allot())).toEqual({ a1: [0, 2] });
    roster.wake({ ...named('b1'), line: 'again' });
    expect(claimsOf(roster.allot())).toEqual({});
    roster.wake({ ...named('b1'), line: 'first' });
    expect(claimsOf(roster.allot())).toEqual({ b1: [2, 0] });
  });

  it('in turns: who came short is first the next time', () => {
    const { roster } = rosterOf({ concurrency: 2 });
    for (const name of ['a1', 'b1', 'c1']) roster.wake({ ...named(name), line: 'first' });
    const round = roster.allot();
    expect(claimsOf(round)).toEqual({ a1: [1, 0], b1: [1, 0] });
    for (const [{ queues }] of round) roster.release(queues.first, 1);
    for (const name of ['a1', 'b1']) roster.wake({ ...named(name), line: 'first' });
    expect(Object.keys(claimsOf(roster.allot()))[0]).toBe('c1');
  });

  it('again, when what was given could not be used', () => {
    const { roster } = rosterOf({ concurrency: 4 });
    roster.wake({ ...named('a1'), line: 'first' });
    const given = roster.allot();
    roster.revoke(given);
    expect(claimsOf(roster.allot())).toEqual(claimsOf(given));
  });
});

describe('time', () => {
  it('gives a webhook its turn when something of it is due, not before', () => {
    const { roster, at } = rosterOf();
    roster.expect({ ...named('a1'), line: 'again' }, START + 1_000);
    expect([claimsOf(roster.allot()), roster.waitMs]).toEqual([{}, 1_001]);
    at(999);
    expect([claimsOf(roster.allot()), roster.waitMs]).toEqual([{}, 2]);
    at(1_000);
    expect(claimsOf(roster.allot())).toEqual({ a1: [0, 2] });
    expect(roster.waitMs).toBeNull();
  });

  it('counts from the earliest that a webhook expects', () => {
    const { roster, at } = rosterOf();
    for (const dueAt of [5_000, 2_000, 8_000])
      roster.expect({ ...named('a1'), line: 'again' }, START + dueAt);
    expect(roster.waitMs).toBe(2_001);
    at(2_000);
    expect(claimsOf(roster.allot())).toEqual({ a1: [0, 2] });
  });

  it.each([
    ['lets nothing out of a webhook that its rate limit holds', 500, {}, 501],
    ['does not wait for longer than a limit can make: the clock was set back', 5_000, { a1: [4, 0] }, null],
  ])('%s', (_what, pausedMs, given, waitMs) => {
    const { roster } = rosterOf();
    roster.wake({ ...named('a1'), line: 'first' });
    const queue = roster.queueOf(webhookOf('a1'));
    queue.lane.pausedUntil = START + pausedMs;
    expect([claimsOf(roster.allot()), roster.waitMs]).toEqual([given, waitMs]);
  });
});

describe('a webhook', () => {
  it('opens one place more for each quick success, and halves them for a failure', () => {
    const { roster } = rosterOf({ first: 2, most: 8 });
    const queue = roster.queueOf(webhookOf('a1'));
    const free = () => queue.lane.free('first');
    const attempt = (ok: boolean) => {
      expect(roster.hold(queue)).toBe(true);
      roster.begin(queue)(ok);
    };
    const seen = [true, true, true, true, true, true, true, false, false, false].map((ok) => {
      attempt(ok);
      return free();
    });
    expect(seen).toEqual([3, 4, 5, 6, 7, 8, 8, 4, 2, 2]);
  });

  it('takes new deliveries from memory only while none is due in the database before them', () => {
    const { roster, at } = rosterOf();
    expect(roster.newcomers(webhookOf('a1'))).not.toBeNull();
    roster.expect({ ...named('a1'), line: 'first' }, START + 10);
    expect(roster.newcomers(webhookOf('a1'))).not.toBeNull();
    at(10);
    expect(roster.newcomers(webhookOf('a1'))).toBeNull();
    roster.wake({ ...named('b1'), line: 'first' });
    expect(roster.newcomers(webhookOf('b1'))).toBeNull();
  });

  it('that hangs is not waited for: its turn comes when one of its attempts has ended', () => {
    const { roster } = rosterOf({ first: 1 });
    roster.wake({ ...named('a1'), line: 'first' });
    const [[lane] = []] = roster.allot();
    const queue = lane?.queues.first ?? expect.fail('Nothing was given.');
    const end = roster.begin(queue);
    roster.wake({ ...named('a1'), line: 'first' });
    expect(claimsOf(roster.allot())).toEqual({});
    end(false);
    expect(claimsOf(roster.allot())).toEqual({ a1: [1, 0] });
  });
});
