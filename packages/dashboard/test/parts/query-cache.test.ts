import { APIError } from '@hubline/sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { QueryCache } from '../../src/data/queries/query-cache.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A fake server that responds when the test says so. */
function server<T>() {
  const calls: {
    readonly signal: AbortSignal;
    readonly respond: (value: T) => void;
    readonly fail: (reason: unknown) => void;
  }[] = [];
  const load = (signal: AbortSignal): Promise<T> =>
    new Promise((respond, fail) => void calls.push({ signal, respond, fail }));
  return { calls, load };
}
/** Runs everything that is already due. */
const settle = () => vi.advanceTimersByTimeAsync(0);

const KEY = ['webhooks', 'ws_1'] as const;

it('sends one request for queries at the same time', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  cache.query(KEY).watch(load);
  cache.query(KEY).watch(load);
  await settle();
  expect(calls).toHaveLength(1);
  calls[0]?.respond('both');
  await settle();
  expect(cache.query(KEY).data.value).toBe('both');
  expect(cache.query(KEY).loading.value).toBe(false);
});

it('shows cached data to the next page at once, and loads it again in the background', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  const leave = cache.query(KEY).watch(load);
  await settle();
  calls[0]?.respond('before');
  await settle();
  leave();
  await vi.advanceTimersByTimeAsync(5_000);
  cache.query(KEY).watch(load);
  await settle();
  expect(cache.query(KEY).data.value).toBe('before');
  calls[1]?.respond('after');
  await settle();
  expect(cache.query(KEY).data.value).toBe('after');
});

it('ends the request when the last watcher leaves, and not before', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  const [leave, leaveToo] = [cache.query(KEY).watch(load), cache.query(KEY).watch(load)];
  await settle();
  leave();
  expect(calls[0]?.signal.aborted).toBe(false);
  leaveToo();
  expect(calls[0]?.signal.aborted).toBe(true);
});

it('reads again what a write has changed, and nothing else', async () => {
  const cache = new QueryCache();
  const [webhooks, members] = [server<string>(), server<string>()];
  cache.query(KEY).watch(webhooks.load);
  cache.query(['members', 'ws_1']).watch(members.load);
  await settle();
  // The response under way may be older than the write.
  cache.written('/v1/webhooks/wh_1/rotate-secret');
  await settle();
  webhooks.calls[0]?.respond('old');
  webhooks.calls[1]?.respond('new');
  await settle();
  expect(cache.query(KEY).data.value).toBe('new');
  expect(members.calls).toHaveLength(1);
});

it('reads nothing again after a POST that changes nothing', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  cache.query(['providers', 'ws_1']).watch(load);
  await settle();
  cache.written('/v1/workspaces/ws_1/providers/preview');
  await settle();
  expect(calls).toHaveLength(1);
});

it('keeps the data while the server cannot be reached, retries by itself, and reports no error', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  const query = cache.query<string>(KEY);
  query.watch(load);
  await settle();
  calls[0]?.respond('before');
  await settle();
  void query.refresh();
  await settle();
  calls[1]?.fail(new Error('No response.'));
  await settle();
  expect(query.data.value).toBe('before');
  expect(query.error.value).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2_000);
  calls[2]?.respond('after');
  await settle();
  expect(query.data.value).toBe('after');
});

it('reports an error if there is nothing to show, or somebody asked, until a request succeeds', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  const query = cache.query<string>(KEY);
  query.watch(load);
  await settle();
  calls[0]?.fail(new Error('No response.'));
  await settle();
  expect(query.error.value).toMatchObject({ message: 'No response.' });
  await vi.advanceTimersByTimeAsync(2_000);
  calls[1]?.respond('there');
  await settle();
  expect(query.error.value).toBeUndefined();
  void query.retry();
  await settle();
  calls[2]?.fail(new Error('No response.'));
  await settle();
  expect(query.error.value).toMatchObject({ message: 'No response.' });
  expect(query.data.value).toBe('there');
});

it('reports that something is gone, and does not ask again', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  const query = cache.query<string>(KEY);
  query.watch(load);
  await settle();
  calls[0]?.respond('there');
  await settle();
  void query.refresh();
  await settle();
  calls[1]?.fail(refusal(404));
  await settle();
  expect(query.error.value).toBeInstanceOf(APIError);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toHaveLength(2);
});

it('forgets everything for another user, and reads again what is shown', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  const leave = cache.query(KEY).watch(load);
  await settle();
  calls[0]?.respond('of an admin');
  await settle();
  cache.clear();
  await settle();
  expect(calls).toHaveLength(2);
  leave();
  expect(cache.query(KEY).data.value).toBeUndefined();
});

it('keeps a bounded number of queries, and those of the open page for as long as it is open', async () => {
  const cache = new QueryCache();
  const { calls, load } = server<string>();
  cache.query(KEY).watch(load);
  await settle();
  calls[0]?.respond('open');
  await settle();
  const first = cache.query(['events', 0]);
  for (let n = 1; n <= 200; n++) cache.query(['events', n]);
  expect(cache.query(KEY).data.value).toBe('open');
  expect(cache.query(['events', 0])).not.toBe(first);
});

const refusal = (status: number): APIError => new APIError('No such webhook.', { status, code: 'not_found' });
