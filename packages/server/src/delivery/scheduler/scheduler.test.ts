import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { QueuePart } from '../../domain/deliveries/queue-part.ts';
import { type Grant, type RunningAttempt, Scheduler } from './scheduler.ts';
import { WebhookQueue } from './webhook-queue.ts';

const START = Date.UTC(2026, 0, 1);

/** The moment `ms` milliseconds after the start. */
const at = (ms = 0) => ({ wall: START + ms, elapsed: ms });
/** `a1`: the first webhook of workspace a. */
const key = (name: string) => ({ webhookId: name, workspaceId: name.slice(0, 1) });

function schedulerOf({ concurrency = 100, initial = 4, max = 64 } = {}) {
  return new Scheduler({ concurrency, perWebhook: { initial, max } });
}

type Given = Record<string, [initial: number, retry: number]>;

/** The number of deliveries to claim for each webhook, new ones and retries. */
const claims = (grants: readonly Grant[]): Given =>
  Object.fromEntries(grants.map((grant) => [grant.webhookId, [grant.claims.initial, grant.claims.retry]]));
/** The number of deliveries to take from the prefetch buffer for each webhook. */
const buffered = (grants: readonly Grant[]) =>
  Object.fromEntries(grants.map((grant) => [grant.webhookId, grant.buffered]));

/** Begins attempts on granted permits. */
const begin = (
  scheduler: Scheduler,
  name: string,
  { count = 1, part, ms = 0 }: { count?: number; part?: QueuePart; ms?: number } = {},
) => Array.from({ length: count }, () => scheduler.begin(key(name), part ?? 'initial', at(ms)));
const end = (scheduler: Scheduler, attempts: readonly RunningAttempt[], { ok = true, ms = 1 } = {}) => {
  for (const attempt of attempts) {
    scheduler.end(attempt, { ok, durationMs: ms - attempt.since });
    scheduler.noteRecorded(attempt);
  }
};

describe('permits are shared', () => {
  it.each<[what: string, concurrency: number, due: string[], given: Given]>([
    ['nothing is due', 100, [], {}],
    ['a webhook gets as many as it may have at first', 100, ['a1'], { a1: [4, 0] }],
    ['a webhook gets no more than there are', 3, ['a1'], { a1: [3, 0] }],
    [
      'workspaces get the same, however many webhooks they have',
      6,
      ['a1', 'a2', 'a3', 'b1'],
      { a1: [1, 0], a2: [1, 0], a3: [1, 0], b1: [3, 0] },
    ],
    [
      'the webhooks of a workspace get the same',
      9,
      ['a1', 'a2', 'a3'],
      { a1: [3, 0], a2: [3, 0], a3: [3, 0] },
    ],
    [
      'what a workspace cannot use goes to the others',
      12,
      ['a1', 'a2', 'a3', 'b1'],
      { a1: [3, 0], a2: [3, 0], a3: [2, 0], b1: [4, 0] },
    ],
    ['one permit for each of many', 3, ['a1', 'b1', 'c1', 'd1'], { a1: [1, 0], b1: [1, 0], c1: [1, 0] }],
  ])('%s', (_what, concurrency, due, given) => {
    const scheduler = schedulerOf({ concurrency });
    for (const name of due) scheduler.wake(key(name), 'initial');
    expect(claims(scheduler.allot(at()))).toEqual(given);
    // Everything that was granted is taken.
    expect(claims(scheduler.allot(at()))).not.toMatchObject(
      given['a1'] ? { a1: given['a1'] } : { none: true },
    );
  });

  it('with retries, which get half of them at most', () => {
    const scheduler = schedulerOf({ concurrency: 4, initial: 64 });
    scheduler.wake(key('a1'), 'retry');
    expect(claims(scheduler.allot(at()))).toEqual({ a1: [0, 2] });
    scheduler.wake(key('b1'), 'retry');
    expect(claims(scheduler.allot(at()))).toEqual({});
    scheduler.wake(key('b1'), 'initial');
    expect(claims(scheduler.allot(at()))).toEqual({ b1: [2, 0] });
  });

  it('with a retry, even if there is only one', () => {
    const scheduler = schedulerOf({ concurrency: 1 });
    scheduler.wake(key('a1'), 'retry');
    expect(claims(scheduler.allot(at()))).toEqual({ a1: [0, 1] });
  });

  it('with retries, which get half of those of one webhook at most', () => {
    const scheduler = schedulerOf();
    scheduler.wake(key('a1'), 'retry');
    expect(claims(scheduler.allot(at()))).toEqual({ a1: [0, 2] });
    scheduler.wake(key('a1'));
    expect(claims(scheduler.allot(at()))).toEqual({ a1: [2, 0] });
  });

  it('with retries, which get the larger half of an odd number, and new deliveries what is left', () => {
    const scheduler = schedulerOf({ initial: 5 });
    scheduler.wake(key('a1'), 'retry');
    expect(claims(scheduler.allot(at()))).toEqual({ a1: [0, 3] });
    scheduler.wake(key('a1'));
    expect(claims(scheduler.allot(at()))).toEqual({ a1: [2, 0] });
  });

  it('equally between retries and new deliveries, while a webhook has more of both than permits', () => {
    const scheduler = schedulerOf({ max: 4 });
    const running: RunningAttempt[] = [];
    const went: Record<QueuePart, number> = { initial: 0, retry: 0 };
    scheduler.wake(key('a1'));
    for (let ms = 0; ms < 40; ms += 1) {
      for (const { claims: granted } of scheduler.allot(at(ms)))
        for (const part of ['initial', 'retry'] as const) {
          went[part] += granted[part];
          running.push(...begin(scheduler, 'a1', { count: granted[part], part, ms }));
          // There is always more.
          if (granted[part] > 0) scheduler.wake(key('a1'), part);
        }
      end(scheduler, running.splice(0, 1), { ms });
    }
    expect(went.retry).toBeGreaterThanOrEqual(went.initial - 4);
  });

  it('in turns: whoever came short is first the next time', () => {
    const scheduler = schedulerOf({ concurrency: 2 });
    for (const name of ['a1', 'b1', 'c1']) scheduler.wake(key(name), 'initial');
    expect(claims(scheduler.allot(at()))).toEqual({ a1: [1, 0], b1: [1, 0] });
    for (const name of ['a1', 'b1']) {
      scheduler.wake(key(name), 'initial');
      scheduler.release(key(name), 'initial', 1);
    }
    expect(Object.keys(claims(scheduler.allot(at())))[0]).toBe('c1');
  });

  it('among slow receivers and others: a slow attempt does not keep its permit', () => {
    const scheduler = schedulerOf({ concurrency: 2, initial: 2 });
    scheduler.wake(key('a1'), 'initial');
    scheduler.allot(at());
    begin(scheduler, 'a1', { count: 2 });
    scheduler.wake(key('b1'), 'initial');
    expect([claims(scheduler.allot(at(200))), scheduler.waitMs(at(200))]).toEqual([{}, 250]);
    expect(claims(scheduler.allot(at(251)))).toEqual({ b1: [2, 0] });
  });
});

describe('one allotment', () => {
  it.each<[part: QueuePart, given: [number, number]]>([
    ['initial', [64, 0]],
    ['retry', [0, 64]],
  ])('claims at most 64 deliveries of a webhook: %s', (part, given) => {
    const scheduler = schedulerOf({ concurrency: 1_000, initial: 130, max: 130 });
    scheduler.wake(key('a1'), part);
    expect(claims(scheduler.allot(at()))).toEqual({ a1: given });
  });

  /** `2.1`: the first webhook of the second of many workspaces. */
  const keyIn = (workspace: number, webhook = 1) => ({
    webhookId: `${workspace}.${webhook}`,
    workspaceId: String(workspace),
  });
  const numbers = Array.from({ length: 65 }, (_, index) => index + 1);

  it.each([
    ['of one workspace', numbers.map((webhook) => keyIn(1, webhook))],
    ['of a workspace each', numbers.map((workspace) => keyIn(workspace))],
  ])('claims from at most 64 webhooks %s, and from the others the next time', (_what, due) => {
    const scheduler = schedulerOf({ concurrency: 1_000 });
    for (const one of due) scheduler.wake(one, 'initial');
    const given = [scheduler.allot(at()), scheduler.allot(at()), scheduler.allot(at())];
    expect(given.map((grants) => grants.length)).toEqual([64, 1, 0]);
    expect(new Set(given.flat().map(({ webhookId }) => webhookId)).size).toBe(65);
  });

  it('that has claimed from 64 webhooks leaves the next turn to the workspace that came short', () => {
    const scheduler = schedulerOf({ concurrency: 65 });
    for (const workspace of numbers)
      for (const webhook of [1, 2]) scheduler.wake(keyIn(workspace, webhook), 'initial');
    expect(scheduler.allot(at())).toHaveLength(64);
    expect(claims(scheduler.allot(at()))).toEqual({ '65.1': [1, 0] });
  });
});

describe('time', () => {
  it('gives a webhook its turn when one of its deliveries is due, not before', () => {
    const scheduler = schedulerOf();
    scheduler.expect(key('a1'), 'retry', START + 1_000);
    expect([claims(scheduler.allot(at())), scheduler.waitMs(at())]).toEqual([{}, 1_001]);
    expect([claims(scheduler.allot(at(999))), scheduler.waitMs(at(999))]).toEqual([{}, 2]);
    expect(claims(scheduler.allot(at(1_000)))).toEqual({ a1: [0, 2] });
    expect(scheduler.waitMs(at(1_000))).toBeNull();
  });

  it('counts from the earliest that a webhook expects', () => {
    const scheduler = schedulerOf();
    for (const ms of [5_000, 2_000, 8_000]) scheduler.expect(key('a1'), 'retry', START + ms);
    expect(scheduler.waitMs(at())).toBe(2_001);
    expect(claims(scheduler.allot(at(2_000)))).toEqual({ a1: [0, 2] });
  });

  it('passes over a time that an earlier one has replaced', () => {
    const scheduler = schedulerOf({ concurrency: 1 });
    for (const ms of [5_000, 2_000]) scheduler.expect(key('a1'), 'retry', START + ms);
    expect(claims(scheduler.allot(at(2_000)))).toEqual({ a1: [0, 1] });
    scheduler.expect(key('a1'), 'retry', START + 8_000);
    scheduler.release(key('a1'), 'retry', 1);
    expect([claims(scheduler.allot(at(5_000))), scheduler.waitMs(at(5_000))]).toEqual([{}, 3_001]);
    expect(claims(scheduler.allot(at(8_000)))).toEqual({ a1: [0, 1] });
  });

  it.each<[what: string, state: { due?: number; begun?: boolean; waits?: boolean }, waitMs: number | null]>([
    ['not at all while nothing is due or waits', { begun: true }, null],
    ['not at all while no attempt runs that may turn slow', { waits: true }, null],
    ['until an attempt may have turned slow, while somebody waits', { begun: true, waits: true }, 250],
    ['until something is due, if that is earlier', { due: 100, begun: true, waits: true }, 101],
    [
      'until an attempt may have turned slow, if something is due later',
      { due: 900, begun: true, waits: true },
      250,
    ],
    ['until something is due, while nobody waits', { due: 900, begun: true }, 901],
    ['until something is due, while no attempt runs', { due: 900, waits: true }, 901],
    ['no longer than a millisecond when something is overdue', { due: -900 }, 1],
  ])('is waited for: %s', (_what, { due, begun, waits }, waitMs) => {
    const scheduler = schedulerOf({ concurrency: 1 });
    scheduler.wake(key('a1'), 'initial');
    if (waits) scheduler.wake(key('b1'), 'initial');
    expect(claims(scheduler.allot(at()))).toEqual({ a1: [1, 0] });
    if (begun) begin(scheduler, 'a1');
    if (due !== undefined) scheduler.expect(key('c1'), 'retry', START + due);
    expect(scheduler.waitMs(at())).toBe(waitMs);
  });

  it.each<[what: string, pausedMs: number, given: Given, waitMs: number | null]>([
    ['grants nothing to a webhook that its rate limit pauses', 500, {}, 501],
    ['grants nothing during the longest pause, that of one call per second', 1_000, {}, 1_001],
    [
      'ignores a pause that is longer than any rate limit makes: the clock was set back',
      1_001,
      { a1: [4, 0] },
      null,
    ],
  ])('%s', (_what, pausedMs, given, waitMs) => {
    const scheduler = schedulerOf();
    scheduler.wake(key('a1'), 'initial');
    scheduler.pause(key('a1'), START + pausedMs);
    expect([claims(scheduler.allot(at())), scheduler.waitMs(at())]).toEqual([given, waitMs]);
  });
});

describe('new deliveries', () => {
  it('are taken into memory only while none is due in the database before them', () => {
    const scheduler = schedulerOf();
    const takesNew = (ms = 0) => scheduler.takesNew('a1', at(ms));
    expect(takesNew()).toBe(true);
    scheduler.expect(key('a1'), 'initial', START + 10);
    expect([takesNew(9), takesNew(10)]).toEqual([true, false]);
    scheduler.wake(key('a1'), 'initial');
    expect(takesNew()).toBe(false);
    // Failed ones do not keep them waiting.
    scheduler.wake(key('b1'), 'retry');
    expect(scheduler.takesNew('b1', at())).toBe(true);
  });

  it('are granted before those in the database, which came after them', () => {
    const scheduler = schedulerOf();
    scheduler.noteBuffered(key('a1'), 3);
    scheduler.wake(key('a1'), 'initial');
    const grants = scheduler.allot(at());
    expect([buffered(grants), claims(grants)]).toEqual([{ a1: 3 }, { a1: [1, 0] }]);
  });

  it.each<[what: string, count: number, returned: number, given: Record<string, number>]>([
    ['as many as the webhook may have', 9, 0, { a1: 4 }],
    ['as many as are left', 9, 7, { a1: 2 }],
    ['none, when all have left the buffer', 9, 9, {}],
  ])('are granted: %s', (_what, count, returned, given) => {
    const scheduler = schedulerOf();
    scheduler.noteBuffered(key('a1'), count);
    if (returned > 0) scheduler.noteUnbuffered(key('a1'), returned);
    expect(buffered(scheduler.allot(at()))).toEqual(given);
  });
});

describe('of a backlog in the database, more are claimed than there are permits', () => {
  const ahead = (grants: readonly Grant[]) =>
    Object.fromEntries(grants.map((grant) => [grant.webhookId, grant.ahead]));

  it('up to 256 in all, which are granted from the buffer', () => {
    const scheduler = schedulerOf();
    for (const name of ['a1', 'b1']) scheduler.wake(key(name), 'initial');
    expect(ahead(scheduler.allot(at()))).toEqual({ a1: 256, b1: 0 });
    scheduler.noteBuffered(key('a1'), 256);
    end(scheduler, begin(scheduler, 'a1', { count: 4 }));
    expect(buffered(scheduler.allot(at()))).toEqual({ a1: 8 });
  });

  it.each<[what: string, buffered: number, ahead: number]>([
    ['again when half of them are gone', 132, 128],
    ['not earlier', 133, 0],
  ])('%s', (_what, count, expected) => {
    const scheduler = schedulerOf();
    scheduler.noteBuffered(key('a1'), count);
    scheduler.wake(key('a1'), 'initial');
    const [grant] = scheduler.allot(at());
    expect([grant?.buffered, grant?.claims.initial, grant?.ahead]).toEqual([4, 0, expected]);
  });

  it('no more than 256 of a webhook, in however many turns', () => {
    const scheduler = schedulerOf({ concurrency: 6 });
    scheduler.noteBuffered(key('a1'), 100);
    for (const name of ['a1', 'b1', 'c1']) scheduler.wake(key(name), 'initial');
    expect(ahead(scheduler.allot(at(), 1_000))).toEqual({ a1: 158, b1: 256, c1: 256 });
  });

  it('not more than there is room for', () => {
    const scheduler = schedulerOf();
    scheduler.wake(key('a1'), 'initial');
    expect(ahead(scheduler.allot(at(), 7))).toEqual({ a1: 7 });
    scheduler.wake(key('b1'), 'initial');
    expect(ahead(scheduler.allot(at(), 0))).toEqual({ b1: 0 });
  });

  it('not of retries, and not for a slow receiver', () => {
    const scheduler = schedulerOf();
    scheduler.wake(key('a1'), 'retry');
    expect(ahead(scheduler.allot(at()))).toEqual({ a1: 0 });
    scheduler.wake(key('b1'), 'initial');
    scheduler.allot(at());
    end(scheduler, begin(scheduler, 'b1', { count: 4 }), { ms: 250 });
    scheduler.wake(key('b1'), 'initial');
    expect(ahead(scheduler.allot(at(250)))).toEqual({ b1: 0 });
  });
});

it('deliveries in the database have their turn when those before them have left the buffer', () => {
  const scheduler = schedulerOf();
  scheduler.noteBuffered(key('a1'), 2);
  scheduler.wake(key('a1'), 'initial');
  scheduler.noteUnbuffered(key('a1'), 2);
  const grants = scheduler.allot(at());
  expect([buffered(grants), claims(grants)]).toEqual([{ a1: 0 }, { a1: [4, 0] }]);
});

describe('webhooks that wait for a permit because their receivers are slow', () => {
  /** Each webhook has had one slow attempt, has a second one running, and has one more delivery in the buffer. */
  function waiting(...names: string[]) {
    const scheduler = schedulerOf({ concurrency: names.length });
    for (const name of names) scheduler.noteBuffered(key(name), 3);
    const once = Object.fromEntries(names.map((name) => [name, 1]));
    expect(buffered(scheduler.allot(at()))).toEqual(once);
    const first = names.map((name) => begin(scheduler, name)).flat();
    end(scheduler, first, { ms: 250 });
    expect(buffered(scheduler.allot(at(250)))).toEqual(once);
    const second = names.map((name) => begin(scheduler, name, { ms: 250 })).flat();
    expect([buffered(scheduler.allot(at(250))), scheduler.waitMs(at(250))]).toEqual([{}, 250]);
    return { scheduler, running: second };
  }

  it.each<[what: string, more: (scheduler: Scheduler) => void]>([
    ['come into the buffer', (scheduler) => scheduler.noteBuffered(key('b1'), 1)],
    ['are due in the database', (scheduler) => scheduler.wake(key('b1'), 'initial')],
  ])('keep their order when more deliveries %s', (_what, more) => {
    const { scheduler, running } = waiting('a1', 'b1');
    more(scheduler);
    end(scheduler, running.slice(0, 1), { ms: 500 });
    expect(buffered(scheduler.allot(at(500)))).toEqual({ a1: 1 });
  });

  it.each<[what: string, leave: (scheduler: Scheduler, running: RunningAttempt[]) => void]>([
    ['has left the buffer', (scheduler) => scheduler.noteUnbuffered(key('a1'), 1)],
    [
      'has left the buffer, after one more had come',
      (scheduler) => {
        scheduler.noteBuffered(key('a1'), 1);
        scheduler.noteUnbuffered(key('a1'), 2);
      },
    ],
    [
      'has its permit',
      (scheduler, running) => {
        end(scheduler, running, { ms: 500 });
        expect(buffered(scheduler.allot(at(500)))).toEqual({ a1: 1 });
        begin(scheduler, 'a1', { ms: 500 });
      },
    ],
  ])('wait no more when the last delivery %s', (_what, leave) => {
    const { scheduler, running } = waiting('a1');
    leave(scheduler, running);
    expect([buffered(scheduler.allot(at(500))), scheduler.waitMs(at(500))]).toEqual([{}, null]);
  });
});

describe('retries that wait while all permits for retries are taken', () => {
  const RETRIES = 2;
  const MANY = Array.from({ length: 50 }, (_, index) => `a${index}`);

  /** Two retries are running. Those of many other webhooks wait, and so does one of workspace b. */
  function waiting() {
    const scheduler = schedulerOf({ concurrency: 2 * RETRIES, initial: 1, max: 4 });
    for (const name of ['x1', 'y1']) scheduler.wake(key(name), 'retry');
    expect(claims(scheduler.allot(at()))).toEqual({ x1: [0, 1], y1: [0, 1] });
    const running = ['x1', 'y1'].flatMap((name) => begin(scheduler, name, { part: 'retry' }));
    for (const name of [...MANY, 'b1']) scheduler.wake(key(name), 'retry');
    expect(scheduler.allot(at())).toEqual([]);
    const checked = vi.spyOn(WebhookQueue.prototype, 'pausedUntil');
    onTestFinished(() => checked.mockRestore());
    return { scheduler, running, checked };
  }

  it('are not checked again and again with each new delivery', () => {
    const { scheduler, checked } = waiting();
    for (const name of ['c1', 'd1']) {
      scheduler.noteBuffered(key(name), 1);
      expect(buffered(scheduler.allot(at()))).toEqual({ [name]: 1 });
    }
    expect(checked).toHaveBeenCalledTimes(2);
  });

  it('have their turn, workspace by workspace, when as many have ended', () => {
    const { scheduler, running, checked } = waiting();
    end(scheduler, running);
    expect(claims(scheduler.allot(at(1)))).toEqual({ a0: [0, 1], b1: [0, 1] });
    // Each of the two had a turn, and is asked for more in a second one.
    expect(checked).toHaveBeenCalledTimes(4);
    expect(scheduler.allot(at(1))).toEqual([]);
    scheduler.release(key('b1'), 'retry', 1);
    expect(claims(scheduler.allot(at(1)))).toEqual({ a1: [0, 1] });
  });

  it('have their turn when a running one has turned slow', () => {
    const { scheduler } = waiting();
    expect(scheduler.waitMs(at())).toBe(250);
    expect(claims(scheduler.allot(at(251)))).toEqual({ a0: [0, 1], b1: [0, 1] });
  });

  it('of a slow receiver wait for both permits', () => {
    const scheduler = schedulerOf({ concurrency: 2 });
    scheduler.noteBuffered(key('b1'), 1);
    scheduler.allot(at());
    end(scheduler, begin(scheduler, 'b1'), { ms: 300 });
    scheduler.wake(key('a1'), 'retry');
    expect(claims(scheduler.allot(at(300)))).toEqual({ a1: [0, 1] });
    scheduler.wake(key('b1'), 'retry');
    expect(scheduler.allot(at(300))).toEqual([]);
    scheduler.release(key('a1'), 'retry', 1);
    expect(claims(scheduler.allot(at(300)))).toEqual({ b1: [0, 1] });
  });
});

describe('a webhook', () => {
  it('has its next turn when one of its attempts has ended, and not before', () => {
    const scheduler = schedulerOf({ initial: 1 });
    scheduler.noteBuffered(key('a1'), 2);
    expect(buffered(scheduler.allot(at()))).toEqual({ a1: 1 });
    const running = begin(scheduler, 'a1');
    expect(buffered(scheduler.allot(at()))).toEqual({});
    // More deliveries change nothing.
    scheduler.noteBuffered(key('a1'), 1);
    expect(scheduler.waitMs(at())).toBeNull();
    end(scheduler, running, { ok: false });
    expect(buffered(scheduler.allot(at(1)))).toEqual({ a1: 1 });
  });

  it.each<[what: string, leave: (scheduler: Scheduler) => void]>([
    [
      'the last one has left the buffer',
      (scheduler) => {
        scheduler.noteBuffered(key('a1'), 2);
        expect(buffered(scheduler.allot(at()))).toEqual({ a1: 1 });
        expect(scheduler.allot(at())).toEqual([]);
        scheduler.noteUnbuffered(key('a1'), 1);
      },
    ],
    [
      'the claim may take all of them',
      (scheduler) => {
        scheduler.wake(key('a1'), 'initial');
        expect(claims(scheduler.allot(at()))).toEqual({ a1: [1, 0] });
      },
    ],
  ])('has no turn when one of its attempts has ended and nothing else waits: %s', (_what, leave) => {
    const scheduler = schedulerOf({ initial: 1 });
    leave(scheduler);
    end(scheduler, begin(scheduler, 'a1'));
    expect(scheduler.allot(at(1))).toEqual([]);
  });

  it('keeps its concurrency limit while a delivery of it runs or waits, and for a minute, and then starts over', () => {
    const scheduler = schedulerOf({ initial: 1, max: 8 });
    const granted = (ms = 0) => {
      scheduler.wake(key('a1'), 'initial');
      const [given = 0] = claims(scheduler.allot(at(ms)))['a1'] ?? [];
      return given;
    };
    expect(granted()).toBe(1);
    const running = begin(scheduler, 'a1');
    scheduler.expect(key('a1'), 'retry', START + 5_000);
    end(scheduler, running);
    expect(granted()).toBe(2);
    scheduler.release(key('a1'), 'initial', 2);
    // The retry is claimed, and nothing of the webhook is left.
    scheduler.allot(at(5_000));
    scheduler.release(key('a1'), 'retry', 1);
    scheduler.allot(at(64_999));
    expect(granted(64_999)).toBe(2);
    scheduler.release(key('a1'), 'initial', 2);
    scheduler.allot(at(124_999));
    expect(granted(124_999)).toBe(1);
  });
});

it('a webhook keeps its concurrency limit while an attempt of it is being recorded', () => {
  const scheduler = schedulerOf();
  scheduler.noteBuffered(key('a1'), 2);
  expect(buffered(scheduler.allot(at()))).toEqual({ a1: 2 });
  const [attempt] = begin(scheduler, 'a1');
  if (attempt) scheduler.end(attempt, { ok: true, durationMs: 1 });
  scheduler.release(key('a1'), 'initial', 1);
  scheduler.wake(key('a1'), 'initial');
  expect(claims(scheduler.allot(at(1)))).toEqual({ a1: [5, 0] });
});

it('calls do not run ahead of results that wait to be recorded', () => {
  const scheduler = schedulerOf({ concurrency: 1 });
  const call = (name: string) => {
    scheduler.noteBuffered(key(name), 1);
    scheduler.allot(at());
    const [attempt] = begin(scheduler, name);
    if (!attempt) throw new Error('Nothing has begun.');
    scheduler.end(attempt, { ok: true, durationMs: 1 });
    return attempt;
  };
  const first = call('a1');
  call('b1');
  scheduler.noteBuffered(key('c1'), 1);
  expect(scheduler.allot(at(1_000))).toEqual([]);
  scheduler.noteRecorded(first);
  expect(buffered(scheduler.allot(at(1_000)))).toEqual({ c1: 1 });
});

describe('700 receivers that hang, in one workspace', () => {
  const HANGING = Array.from({ length: 700 }, (_, index) => `a${index}`);

  /**
   * Keeps deliveries due for each receiver until none gets a permit. Returns the attempts that then run, and
   * the time.
   */
  function hang(scheduler: Scheduler) {
    const running: RunningAttempt[] = [];
    let ms = 0;
    for (let granted = true; granted; ms += 251) {
      for (const name of HANGING) scheduler.wake(key(name), 'initial');
      const grants = scheduler.allot(at(ms));
      for (const { webhookId, claims: counts } of grants)
        running.push(...begin(scheduler, webhookId, { count: counts.initial, ms }));
      granted = grants.length > 0;
    }
    return { running, ms };
  }

  it('leave all permits to others, and share the permits for slow receivers among themselves', () => {
    const scheduler = schedulerOf({ concurrency: 256 });
    const { running, ms } = hang(scheduler);
    expect(running.length).toBeGreaterThanOrEqual(1_536);
    // Even the last ones gave their permit back when they turned slow.
    expect(running.length).toBeLessThan(2_048);
    for (let index = 0; index < 64; index += 1) scheduler.wake(key(`b${index}`), 'initial');
    const grants = scheduler.allot(at(ms));
    expect(grants).toHaveLength(64);
    expect(grants.every(({ workspaceId, claims: { initial } }) => workspaceId === 'b' && initial === 4)).toBe(
      true,
    );
  });

  it('let a slow receiver of another workspace have its turn as soon as some of their attempts end', () => {
    const scheduler = schedulerOf({ concurrency: 256 });
    scheduler.wake(key('b1'), 'initial');
    scheduler.allot(at());
    const [first, ...others] = begin(scheduler, 'b1', { count: 4 });
    end(scheduler, others, { ms: 400 });
    const { running, ms } = hang(scheduler);
    scheduler.wake(key('b1'), 'initial');
    expect(scheduler.allot(at(ms))).toEqual([]);
    const excess = running.length - 1_536;
    end(scheduler, running.splice(0, excess + 4), { ok: false, ms });
    expect(claims(scheduler.allot(at(ms)))).toHaveProperty('b1');
    if (first) end(scheduler, [first], { ms });
  });

  it('have another turn once a running attempt may have turned slow', () => {
    const scheduler = schedulerOf({ concurrency: 256 });
    const { ms } = hang(scheduler);
    scheduler.wake(key('b1'), 'initial');
    scheduler.allot(at(ms));
    begin(scheduler, 'b1', { count: 4, ms });
    expect(scheduler.waitMs(at(ms))).toBe(250);
  });
});
