import { APIError } from '@hubline/sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { QueryCache } from '../../src/data/queries/query-cache.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A fake server that answers when the test says so. */
function server<T>() {
  const calls: {
    readonly signal: AbortSignal;
    readonly answer: (value: T) => void;
    readonly fail: (reason: unknown) => void;
  }[] = [];
  const load = (signal: AbortSignal): Promise<T> =>
    new Promise((answer, fail) => void calls.push({ signal, answer, fail }));
  return { calls, load };
}
/** Runs everything that is already due. */
const settle = () => vi.advanceTimersByTimeAsync(0);

const KEY = ['webhooks', 'ws_1'] as const;

it('sends one request for queries at the same time', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  cache.answer(KEY).watch(load);
  cache.answer(KEY).watch(load);
  await settle();
  expect(calls).toHaveLength(1);
  calls[0]?.answer('both');
  await settle();
  expect(cache.answer(KEY).data.value).toBe('both');
  expect(cache.answer(KEY).loading.value).toBe(false);
});

it('shows a cached answer to the next page at once, and reads it again in the background', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  const leave = cache.answer(KEY).watch(load);
  await settle();
  calls[0]?.answer('before');
  await settle();
  leave();
  await vi.advanceTimersByTimeAsync(5_000);
  cache.answer(KEY).watch(load);
  await settle();
  expect(cache.answer(KEY).data.value).toBe('before');
  calls[1]?.answer('after');
  await settle();
  expect(cache.answer(KEY).data.value).toBe('after');
});

it('ends the request when the last watcher leaves, and not before', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  const [leave, leaveToo] = [cache.answer(KEY).watch(load), cache.answer(KEY).watch(load)];
  await settle();
  leave();
  expect(calls[0]?.signal.aborted).toBe(false);
  leaveToo();
  expect(calls[0]?.signal.aborted).toBe(true);
});

it('reads again what a write has changed, and nothing else', async () => {
  const cache = new QueryCache();
  const [webhooks, members] = [server<string>(), server<string>()];
  cache.answer(KEY).watch(webhooks.load);
  cache.answer(['members', 'ws_1']).watch(members.load);
  await settle();
  // The answer under way may be older than the write.
  cache.written('/v1/webhooks/wh_1/rotate-secret');
  await settle();
  webhooks.calls[0]?.answer('old');
  webhooks.calls[1]?.answer('new');
  await settle();
  expect(cache.answer(KEY).data.value).toBe('new');
  expect(members.calls).toHaveLength(1);
});

it('reads nothing again after a POST that changes nothing', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  cache.answer(['providers', 'ws_1']).watch(load);
  await settle();
  cache.written('/v1/workspaces/ws_1/providers/preview');
  await settle();
  expect(calls).toHaveLength(1);
});

it('keeps the answer while the server cannot be reached, asks again by itself, and reports no error', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  const answer = cache.answer<string>(KEY);
  answer.watch(load);
  await settle();
  calls[0]?.answer('before');
  await settle();
  void answer.refresh();
  await settle();
  calls[1]?.fail(new Error('Nobody answers.'));
  await settle();
  expect(answer.data.value).toBe('before');
  expect(answer.error.value).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2_000);
  calls[2]?.answer('after');
  await settle();
  expect(answer.data.value).toBe('after');
});

it('reports an error if there is nothing to show, or somebody asked, until a request succeeds', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  const answer = cache.answer<string>(KEY);
  answer.watch(load);
  await settle();
  calls[0]?.fail(new Error('Nobody answers.'));
  await settle();
  expect(answer.error.value).toMatchObject({ message: 'Nobody answers.' });
  await vi.advanceTimersByTimeAsync(2_000);
  calls[1]?.answer('there');
  await settle();
  expect(answer.error.value).toBeUndefined();
  void answer.retry();
  await settle();
  calls[2]?.fail(new Error('Nobody answers.'));
  await settle();
  expect(answer.error.value).toMatchObject({ message: 'Nobody answers.' });
  expect(answer.data.value).toBe('there');
});

it('reports that something is gone, and does not ask again', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  const answer = cache.answer<string>(KEY);
  answer.watch(load);
  await settle();
  calls[0]?.answer('there');
  await settle();
  void answer.refresh();
  await settle();
  calls[1]?.fail(refusal(404));
  await settle();
  expect(answer.error.value).toBeInstanceOf(APIError);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toHaveLength(2);
});

it('forgets everything for another user, and reads again what is shown', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  const leave = cache.answer(KEY).watch(load);
  await settle();
  calls[0]?.answer('of an admin');
  await settle();
  cache.clear();
  await settle();
  expect(calls).toHaveLength(2);
  leave();
  expect(cache.answer(KEY).data.value).toBeUndefined();
});

it('keeps a bounded number of answers, and those of the open page for as long as it is open', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  cache.answer(KEY).watch(load);
  await settle();
  calls[0]?.answer('open');
  await settle();
  const first = cache.answer(['events', 0]);
  for (let n = 1; n <= 200; n++) cache.answer(['events', n]);
  expect(cache.answer(KEY).data.value).toBe('open');
  expect(cache.answer(['events', 0])).not.toBe(first);
});

const refusal = (status: number): APIError => new APIError('No such webhook.', { status, code: 'not_found' });
