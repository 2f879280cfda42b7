import { describe, expect, it } from 'vitest';
import { nextTurn } from '../clock/timer.ts';
import { PollTimer } from './poll-timer.ts';

/** A poll timer. Each poll lasts until `end`. */
function begin() {
  const polls: ((waitMs: number) => void)[] = [];
  const waits = new Map<() => void, number>();
  let now = 0;
  const timer = new PollTimer({
    poll: () => new Promise((resolve) => polls.push(resolve)),
    timer: (run, ms) => {
      waits.set(run, ms);
      return () => waits.delete(run);
    },
    monotonic: () => now,
  });
  return {
    timer,
    polls,
    /** The waits until the next polls: there is one at most. */
    waits: () => [...waits.values()],
    /** Ends the poll under way, which names the wait until the next one. */
    end: async (waitMs: number) => {
      polls.at(-1)?.(waitMs);
      await nextTurn();
    },
    advance: (ms: number) => void (now += ms),
    fire: () => {
      for (const run of waits.keys()) if (waits.delete(run)) run();
    },
  };
}
type Begun = ReturnType<typeof begin>;

it('polls at its start, and again after the time that each poll names', async () => {
  const { timer, polls, waits, end, fire } = begin();
  timer.wake();
  expect(polls).toHaveLength(0);
  timer.start();
  expect([polls.length, timer.isPolling, waits()]).toEqual([1, true, []]);
  await end(500);
  expect([polls.length, timer.isPolling, waits()]).toEqual([1, false, [500]]);
  fire();
  await end(700);
  expect([polls.length, waits()]).toEqual([2, [700]]);
});

describe('after a poll that names a second, the next one', () => {
  it.each<[what: string, during: (begun: Begun) => void, after: (begun: Begun) => void, expected: number[]]>([
    ['comes in a second', () => {}, () => {}, [1_000]],
    ['comes earlier if that is asked for', () => {}, ({ timer }) => timer.wakeIn(300), [300]],
    ['comes no later than it would', () => {}, ({ timer }) => timer.wakeIn(1_001), [1_000]],
    [
      'is not postponed by one who asks again',
      () => {},
      ({ timer, advance }) => {
        timer.wakeIn(300);
        advance(200);
        timer.wakeIn(300);
      },
      [300],
    ],
    [
      'comes earlier if that was asked for during the poll',
      ({ timer }) => {
        timer.wakeIn(300);
        timer.wakeIn(400);
      },
      () => {},
      [300],
    ],
    ['comes no later for that', ({ timer }) => timer.wakeIn(1_001), () => {}, [1_000]],
    [
      'never comes if the timer stops',
      () => {},
      ({ timer }) => {
        timer.stop();
        timer.wakeIn(1);
        timer.wake();
      },
      [],
    ],
    [
      'never comes if the timer stops during the poll',
      ({ timer }) => {
        timer.wakeIn(1);
        timer.wake();
        timer.stop();
      },
      () => {},
      [],
    ],
  ])('%s', async (_, during, after, expected) => {
    const begun = begin();
    begun.timer.start();
    during(begun);
    await begun.end(1_000);
    after(begun);
    expect([begun.polls.length, begun.timer.isPolling, begun.waits()]).toEqual([1, false, expected]);
  });
});

it.each<[what: string, waitMs: number, during: (begun: Begun) => void]>([
  ['it was woken during the poll', 1_000, ({ timer }) => timer.wake()],
  ['the poll says so', 0, () => {}],
])('polls again at once, and once, if %s', async (_, waitMs, during) => {
  const begun = begin();
  begun.timer.start();
  during(begun);
  expect(begun.polls).toHaveLength(1);
  await begun.end(waitMs);
  expect([begun.polls.length, begun.timer.isPolling, begun.waits()]).toEqual([2, true, []]);
  await begun.end(1_000);
  expect([begun.polls.length, begun.timer.isPolling, begun.waits()]).toEqual([2, false, [1_000]]);
});

it('forgets what was asked for during a poll once that is done', async () => {
  const { timer, waits, end, fire } = begin();
  timer.start();
  timer.wakeIn(300);
  await end(1_000);
  fire();
  await end(1_000);
  expect(waits()).toEqual([1_000]);
});

it('a poll that is woken takes the place of the one that was to come', async () => {
  const { timer, waits, end, polls } = begin();
  timer.start();
  await end(1_000);
  timer.wake();
  await end(2_000);
  expect([polls.length, waits()]).toEqual([2, [2_000]]);
});
