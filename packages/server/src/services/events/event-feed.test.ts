import { expect, it } from 'vitest';
import { nextTurn } from '../../clock/timer.ts';
import { EventFeed } from './event-feed.ts';

const MINUTE_MS = 60_000;

/** Waits for an announcement `times` times. Returns the number of waiters that were woken, and a controller for each to leave. */
function waitFor(feed: EventFeed, times: number) {
  const heard = { count: 0 };
  const readers = Array.from({ length: times }, () => {
    const gone = new AbortController();
    void feed.next('ws_1', MINUTE_MS, gone.signal).then((isWoken) => (heard.count += Number(isWoken)));
    return gone;
  });
  return { heard, readers };
}

it('wakes a crowd in several turns of the event loop, so that others are served in between', async () => {
  const feed = new EventFeed();
  const { heard } = waitFor(feed, 1_000);
  feed.announce('ws_1');
  const counts: number[] = [];
  while (heard.count < 1_000) {
    await nextTurn();
    counts.push(heard.count);
  }
  const steps = counts.map((count, turn) => count - (counts[turn - 1] ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(200);
});

it('does not wake a waiter that has left before its turn, and wakes none twice', async () => {
  const feed = new EventFeed();
  const { heard, readers } = waitFor(feed, 300);
  feed.announce('ws_1');
  readers[299]?.abort();
  feed.announce('ws_1');
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(heard.count).toBe(299);
});

it.each<[string, (feed: EventFeed) => void]>([
  ['an announcement', (feed) => feed.announce('ws_1')],
  ['one that may have been missed', (feed) => feed.announceAll()],
])('shares a query among callers until there is %s', async (_, announce) => {
  const feed = new EventFeed();
  let asked = 0;
  const ask = () => feed.share('ws_1', 'events', () => Promise.resolve((asked += 1)));
  const before = [ask(), ask()];
  announce(feed);
  expect(await Promise.all([...before, ask()])).toEqual([1, 1, 2]);
});

it('wakes new waiters for a later announcement while it is still waking waiters for the first', async () => {
  const feed = new EventFeed();
  const first = waitFor(feed, 300);
  feed.announce('ws_1');
  const second = waitFor(feed, 10);
  feed.announce('ws_1');
  await nextTurn();
  expect(second.heard.count).toBe(10);
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(first.heard.count).toBe(300);
});
