import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { listen } from '../../outbound/receiver.fixture.ts';
import { lookUpBySystem } from '../../outbound/pool/name-lookups.ts';
import type { Call } from './call.ts';
import { type SenderLevel, SenderPool } from './sender-pool.ts';

const CALL: Call = {
  deliveryId: 'dlv_1',
  trigger: 'event.created',
  attempt: 1,
  url: 'https://example.com/',
  body: '{}',
  secrets: ['secret'],
  timestamp: 1,
  timeoutMs: 30_000,
};
const RESTART_MS = 1_000;
// The time of the first check that finds a call without a result ten seconds after its deadline.
const HANGING_MS = 45_000;

const IDLE: SenderLevel = { running: 0, busyMs: 0, replaced: 0 };
const notSent = (why: string) => ({ localFailure: true, error: { message: `not sent: ${why}` } });
const NO_SENDER = notSent('no sender is running');

const programOf = (name: string) =>
  new URL(`../../../test/delivery/threads/${name}-sender.process.ts`, import.meta.url);
const SCRIPTED = programOf('scripted');
const BROKEN = programOf('broken');

// The threads are real, and know nothing of this clock: the tests wait for their results.
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

function start(threads: number, program = SCRIPTED) {
  const logged: unknown[] = [];
  const log = (fields: object, message: string) => logged.push([message, fields]);
  const pool = new SenderPool({
    userAgent: 'test',
    allowHttpLocalhost: true,
    resolve: lookUpBySystem,
    threads,
    program,
    log: { debug: log, info: log, warn: log, error: log },
  });
  onTestFinished(() => pool.destroy());
  const send = (url: string) => pool.send({ ...CALL, url });
  return {
    pool,
    logged,
    send,
    /** Begins calls that get no response. */
    hold: (url: string, count = 1) => {
      for (let index = 0; index < count; index += 1) void send(url);
    },
    /** The number of the thread that sends to an origin. */
    threadOf: async (origin: string) => {
      const result = await send(`${origin}/respond`);
      return typeof result === 'string' ? result : result.response?.body;
    },
    running: () => pool.levels.map(({ running }) => running),
  };
}

/** Three senders, and an origin for each in their order. One call to each origin is under way. */
function startThree() {
  const started = start(3);
  const origins: string[] = [];
  for (const port of [1, 2, 3]) {
    const before = started.running();
    const origin = `https://example.com:${port}`;
    started.hold(origin);
    origins[started.running().findIndex((count, slot) => count > (before[slot] ?? 0))] = origin;
  }
  expect(started.running()).toEqual([1, 1, 1]);
  const [first = '', second = '', third = ''] = origins;
  return { ...started, first, second, third };
}

describe('the calls to an origin', () => {
  it('go to the same sender, whatever the rest of the URL, and those to other origins to others', async () => {
    const { hold, threadOf, running, first, second, third } = startThree();
    for (const rest of ['/', '/a', '/a/b?c=d', '/https://example.com:1/', '/#e']) hold(second + rest);
    expect(running()).toEqual([1, 6, 1]);
    const threads = await Promise.all([first, second, third].map(threadOf));
    expect(new Set(threads).size).toBe(3);
    expect(await threadOf(`${second}/more`)).toBe(threads[1]);
  });

  it('go to the least busy of the others, while their own sender has over 32 calls more', () => {
    const { hold, running, second } = startThree();
    const after = (count: number) => {
      hold(second, count);
      return running();
    };
    expect([after(32), after(1), after(1), after(1), after(1)]).toEqual([
      [1, 33, 1],
      [1, 34, 1],
      [2, 34, 1],
      [2, 34, 2],
      [2, 35, 2],
    ]);
  });

  it.each<[second: number, third: number]>([
    [3, 2],
    [2, 3],
  ])('go to the least busy of the others, while their sender is dead: of %i and %i', async (busy, busier) => {
    const { hold, send, running, first, second, third } = startThree();
    expect(await send(`${first}/die`)).toBe('interrupted');
    hold(second, busy - 1);
    hold(third, busier - 1);
    hold(first);
    expect(running()).toEqual([0, 3, 3]);
    await vi.advanceTimersByTimeAsync(RESTART_MS);
    hold(first);
    expect(running()).toEqual([1, 3, 3]);
  });
});

describe('a sender', () => {
  it('starts with its first call, and shows how busy its thread is', async () => {
    const { pool, threadOf } = start(2);
    expect(pool.levels).toEqual([IDLE, IDLE]);
    await threadOf(CALL.url);
    const [busy, ...others] = pool.levels.toSorted((one, other) => other.busyMs - one.busyMs);
    expect(busy).toMatchObject({ running: 0, replaced: 0 });
    expect(busy?.busyMs).toBeGreaterThan(0);
    expect(others).toEqual([IDLE]);
  });

  it('that dies is replaced at once, and all its calls are interrupted', async () => {
    const { pool, send, threadOf, running, logged } = start(1);
    const first = await threadOf(CALL.url);
    const calls = ['https://a.example/', 'https://b.example/', 'https://c.example/die'].map(send);
    expect(running()).toEqual([3]);
    expect(await Promise.all(calls)).toEqual(['interrupted', 'interrupted', 'interrupted']);
    const err = expect.objectContaining({ message: 'this sender dies' }) as unknown;
    expect(logged).toEqual([['a sender thread died; starting another', { err, sender: 0 }]]);
    // Its successor starts with the next turn of the event loop.
    expect(await send(CALL.url)).toMatchObject(NO_SENDER);
    await vi.advanceTimersByTimeAsync(0);
    expect(await threadOf(CALL.url)).not.toBe(first);
    expect(pool.levels).toMatchObject([{ running: 0, replaced: 1 }]);
    await send('https://c.example/die');
    expect(pool.levels).toEqual([{ ...IDLE, replaced: 2 }]);
  });

  it('that cannot start is started again after a second, and its calls have not been made', async () => {
    const { pool, send, logged } = start(1, BROKEN);
    expect(await send(CALL.url)).toMatchObject(notSent('the sender did not start'));
    expect([pool.levels, logged.length]).toEqual([[{ ...IDLE, replaced: 1 }], 1]);
    await vi.advanceTimersByTimeAsync(RESTART_MS - 1);
    expect(await send(CALL.url)).toMatchObject(NO_SENDER);
    await vi.advanceTimersByTimeAsync(1);
    expect(await send(CALL.url)).toMatchObject(notSent('the sender did not start'));
    expect([pool.levels, logged.length]).toEqual([[{ ...IDLE, replaced: 2 }], 2]);
  });

  it('that hangs is replaced, and its calls are interrupted', async () => {
    const { pool, send, threadOf } = start(1);
    const first = await threadOf(CALL.url);
    const held = send(CALL.url);
    await vi.advanceTimersByTimeAsync(HANGING_MS);
    expect(await held).toBe('interrupted');
    await vi.advanceTimersByTimeAsync(0);
    expect(await threadOf(CALL.url)).not.toBe(first);
    expect(pool.levels).toMatchObject([{ running: 0, replaced: 1 }]);
  });
});

describe('a pool that is destroyed', () => {
  type Started = ReturnType<typeof start>;
  it.each<[what: string, program: URL, before: (started: Started) => Promise<unknown>, refusal: string]>([
    ['that have never started', SCRIPTED, async () => {}, 'no sender is running'],
    ['that were running', SCRIPTED, ({ threadOf }) => threadOf(CALL.url), 'the sender has ended'],
    [
      'that have died',
      SCRIPTED,
      async ({ threadOf, send }) => {
        await threadOf(CALL.url);
        await send(`${CALL.url}die`);
      },
      'no sender is running',
    ],
    ['that could not start', BROKEN, ({ send }) => send(CALL.url), 'no sender is running'],
  ])(
    'starts no more senders, and leaves no timer, with senders %s',
    async (_what, program, before, refusal) => {
      const started = start(1, program);
      const { pool, send } = started;
      await before(started);
      await pool.destroy();
      expect(vi.getTimerCount()).toBe(0);
      expect(await send(CALL.url)).toMatchObject(notSent(refusal));
      expect(pool.levels).toMatchObject([{ running: 0, busyMs: 0 }]);
    },
  );

  it('does not replace a sender that dies meanwhile', async () => {
    const { pool, send, threadOf, logged } = start(1);
    await threadOf(CALL.url);
    const dying = send(`${CALL.url}die`);
    await pool.destroy();
    expect(await dying).toBe('interrupted');
    expect([pool.levels, logged, vi.getTimerCount()]).toEqual([[IDLE], [], 0]);
  });
});

it('without threads, the main thread sends until the pool is destroyed', async () => {
  // The HTTP client keeps one timer for all calls of the process, which must not run on the fake clock.
  vi.useRealTimers();
  const { pool, send } = start(0);
  const { port } = await listen(createServer((_request, response) => response.end()));
  const url = `http://127.0.0.1:${port}/`;
  expect(await send(url)).toMatchObject({ ok: true });
  expect(pool.levels).toEqual([]);
  await pool.destroy();
  expect(await send(url)).toMatchObject({ response: null, localFailure: true });
});
