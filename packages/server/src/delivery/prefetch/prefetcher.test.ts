import { describe, expect, it } from 'vitest';
import { isoTime } from '../../domain/time.ts';
import type { DeliveryStore, WebhookEndpoint, LeasedDelivery } from '../delivery-store.ts';
import { PrefetchBuffer } from './prefetch-buffer.ts';
import { Prefetcher } from './prefetcher.ts';
import type { Grant, Scheduler } from '../scheduler/scheduler.ts';
import type { WebhookKey } from '../scheduler/webhook-queue.ts';

const START = Date.UTC(2026, 0, 1);
// A new lease, and the part of it that an attempt and its record may need.
const LEASE_MS = 60_000;
const ATTEMPT_MS = 35_000;
const CHECK_MS = 5_000;

/** `a1`: the first webhook of workspace a. */
const endpoint = (id: string, values: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id,
  workspaceId: id.slice(0, 1),
  url: 'https://example.com/',
  isActive: true,
  mayBePrefetched: true,
  sealed: { current: '', previous: null, previousUntil: null },
  ...values,
});
/** `a1:7`: a delivery of that webhook. */
const delivery = (id: string, bytes = 1) =>
  ({
    id,
    endpoint: endpoint(id.slice(0, 2)),
    lease: { seq: 1, token: 1, owner: 'me' },
    part: 'initial',
    bytes,
  }) as LeasedDelivery;
const grant = (webhookId: string, buffered: number): Grant => ({
  webhookId,
  workspaceId: webhookId.slice(0, 1),
  buffered,
  claims: { initial: 0, retry: 0 },
  ahead: 0,
});
const until = (ms: number) => ({ owner: 'me', until: isoTime(START + ms) });

/** An open prefetcher with room for 10 bytes, and a record of the calls that it makes, in order. */
function start() {
  const calls: string[] = [];
  const works: Promise<unknown>[] = [];
  /** State that tests change. */
  const world = {
    /** Milliseconds since the start. */
    ms: 0,
    owner: 'me' as string | null,
    takesNew: true,
    /** `a1` as it is now. */
    found: endpoint('a1') as WebhookEndpoint | undefined,
    failing: false,
  };
  let timer: { run: () => void; ms: number } | null = null;
  const record = (what: string) => void calls.push(what);
  const recordCall = (what: string, { webhookId, workspaceId }: WebhookKey, ...rest: unknown[]) =>
    record([what, `${workspaceId}/${webhookId}`, ...rest].join(' '));
  const scheduler: Pick<Scheduler, 'wake' | 'release' | 'takesNew' | 'noteBuffered' | 'noteUnbuffered'> = {
    wake: (key, part) => recordCall('wake', key, part),
    release: (key, part, count) => recordCall('release', key, part, count),
    takesNew: () => world.takesNew,
    noteBuffered: (key, count) => recordCall('buffered', key, count),
    noteUnbuffered: (key, count) => recordCall('unbuffered', key, count),
  };
  const fail = () => {
    if (world.failing) throw new Error('lost connection');
  };
  const store: Pick<DeliveryStore, 'findEndpoint' | 'returnUnbegun'> = {
    findEndpoint: async (id) => {
      record(`find ${id}`);
      fail();
      return world.found;
    },
    returnUnbegun: async (deliveries) => {
      record(`return ${deliveries.map(({ id }) => id).join(' ')}`);
      fail();
    },
  };
  const buffer = new PrefetchBuffer({ bytes: 10 });
  const log = (_fields: object, message: string) => record(`log ${message}`);
  const prefetcher = new Prefetcher(
    { log: { debug: log, info: log, warn: log, error: log } },
    {
      owner: () => world.owner,
      buffer,
      store,
      scheduler,
      now: () => ({ wall: START + world.ms, elapsed: 0 }),
      timer: (run, ms) => {
        if (timer) throw new Error('There is a timer already.');
        const started = { run, ms };
        timer = started;
        return () => {
          if (timer === started) timer = null;
        };
      },
      begin: ({ id, endpoint: { url } }) => record(`begin ${id} at ${url}`),
      keep: () => expect.fail('Only a claim calls this.'),
      track: (work) => works.push(work),
      dispatch: (inMs) => record(inMs === undefined ? 'dispatch' : `dispatch in ${inMs}`),
    },
  );
  prefetcher.open();
  return {
    prefetcher,
    buffer,
    world,
    /** Returns the calls since the last time. */
    newCalls: async () => {
      while (works.length > 0) await works.shift();
      return calls.splice(0);
    },
    timerMs: () => timer?.ms ?? null,
    /** Runs the timer. */
    ring: () => {
      const ringing = timer;
      timer = null;
      ringing?.run();
    },
  };
}
type Started = ReturnType<typeof start>;

/** A prefetcher that has just accepted deliveries with a new lease. */
async function filled(...ids: string[]) {
  const started = start();
  const offer = started.prefetcher.accept(
    ids.map((id) => delivery(id)),
    until(LEASE_MS),
  );
  await started.newCalls();
  return { ...started, offer };
}

describe('new deliveries are stored with a lease of this process', () => {
  it.each<
    [
      what: string,
      takes: boolean,
      change: (started: Started) => void,
      Partial<WebhookEndpoint>,
      bytes: number,
    ]
  >([
    ['when nothing is against it', true, () => {}, {}, 10],
    ['not before the prefetcher is open', false, ({ prefetcher }) => prefetcher.close(), {}, 10],
    [
      'when the prefetcher is open again',
      true,
      ({ prefetcher }) => {
        prefetcher.close();
        prefetcher.open();
      },
      {},
      10,
    ],
    ['not while the process has no lease owner', false, ({ world }) => (world.owner = null), {}, 10],
    ['not for a webhook that may not be prefetched', false, () => {}, { mayBePrefetched: false }, 10],
    ['not behind others in the database', false, ({ world }) => (world.takesNew = false), {}, 10],
    ['not without room', false, () => {}, {}, 11],
  ])('%s', (_what, takes, change, values, bytes) => {
    const started = start();
    change(started);
    expect(started.prefetcher.prefetch().takes(endpoint('a1', values), bytes)).toBe(takes);
  });

  it('not when the prefetcher has been closed since it was asked', () => {
    const { prefetcher } = start();
    const { takes } = prefetcher.prefetch();
    prefetcher.close();
    expect(takes(endpoint('a1'), 1)).toBe(false);
  });

  it('which ends in a minute', () => {
    const { prefetcher, world } = start();
    world.ms = 7;
    expect(prefetcher.prefetch().lease).toEqual({
      owner: 'me',
      until: isoTime(START + 7 + LEASE_MS),
    });
    world.owner = null;
    expect(prefetcher.prefetch().lease.owner).toBe('');
  });
});

describe('deliveries that are offered', () => {
  it('wait in the buffer, and are not expected in the database', async () => {
    const { prefetcher, buffer, newCalls } = start();
    expect(prefetcher.accept([delivery('a1:1'), delivery('b1:2')], until(59_000))).toBe(1);
    expect(await newCalls()).toEqual(['buffered a/a1 1', 'buffered b/b1 1']);
    expect(buffer.items).toBe(2);
    expect(prefetcher.accept([], until(59_000))).toBe(2);
  });

  it('are held no longer than with a new lease, when the clock was set back', () => {
    const { prefetcher, buffer, world } = start();
    world.ms = -3_600_000;
    prefetcher.accept([delivery('a1:1')], until(59_000));
    expect(buffer.takeLeasedUntil()).toMatchObject([{ leaseEnd: START + LEASE_MS - 3_600_000 }]);
  });

  it('return to the database together when they find no room, and are due there', async () => {
    const { prefetcher, buffer, newCalls } = start();
    prefetcher.accept(
      [delivery('a1:1', 6), delivery('b1:2', 6), delivery('a1:3', 4), delivery('c1:4', 1)],
      until(60_000),
    );
    expect(await newCalls()).toEqual([
      'buffered a/a1 1',
      'buffered a/a1 1',
      'return b1:2 c1:4',
      'wake b/b1 initial',
      'wake c/c1 initial',
      'dispatch',
    ]);
    expect(buffer.used).toBe(10);
  });

  it('return when the prefetcher has been closed meanwhile', async () => {
    const { prefetcher, buffer, newCalls, timerMs } = start();
    prefetcher.close();
    prefetcher.accept([delivery('a1:1')], until(60_000));
    expect(await newCalls()).toEqual(['return a1:1', 'wake a/a1 initial', 'dispatch']);
    expect([buffer.items, timerMs()]).toEqual([0, null]);
  });

  it('are left to the end of their lease, when they cannot return', async () => {
    const { prefetcher, world, newCalls } = start();
    world.failing = true;
    prefetcher.accept([delivery('a1:1', 11)], until(60_000));
    expect(await newCalls()).toEqual([
      'return a1:1',
      'log deliveries could not be returned from the prefetch buffer',
    ]);
  });
});

describe('deliveries that are claimed ahead', () => {
  const keep = ({ prefetcher }: Started, ids: readonly string[]) =>
    prefetcher.keep(
      ids.map((id) => delivery(id)),
      START + LEASE_MS,
    );

  it('wait in the buffer, and begin after their webhook is read again', async () => {
    const started = start();
    keep(started, ['a1:7', 'a1:8']);
    expect(await started.newCalls()).toEqual(['buffered a/a1 1', 'buffered a/a1 1']);
    expect(started.timerMs()).not.toBeNull();
    started.prefetcher.begin(grant('a1', 2), null);
    expect(await started.newCalls()).toEqual([
      'find a1',
      expect.stringContaining('begin a1:7'),
      expect.stringContaining('begin a1:8'),
    ]);
  });

  it('return when they find no room, or when the prefetcher is closed', async () => {
    const started = start();
    started.prefetcher.keep([delivery('a1:7', 11)], START + LEASE_MS);
    expect(await started.newCalls()).toEqual(['return a1:7', 'wake a/a1 initial', 'dispatch']);
    started.prefetcher.close();
    keep(started, ['a1:8']);
    expect(await started.newCalls()).toEqual(['return a1:8', 'wake a/a1 initial', 'dispatch']);
  });
});

describe('deliveries that are granted', () => {
  it('begin at once when they have just been offered', async () => {
    const { prefetcher, buffer, offer, world, newCalls } = await filled('a1:1', 'a1:2', 'a1:3', 'b1:4');
    // Not even their webhook is read.
    world.found = undefined;
    prefetcher.begin(grant('a1', 2), offer);
    expect(await newCalls()).toEqual([
      'begin a1:1 at https://example.com/',
      'begin a1:2 at https://example.com/',
    ]);
    expect(buffer.items).toBe(2);
  });

  it('begin at once only while their lease is long enough for an attempt, however new they are', async () => {
    const { prefetcher, offer, world, newCalls } = await filled('a1:1', 'a1:2');
    world.ms = LEASE_MS - ATTEMPT_MS;
    prefetcher.begin(grant('a1', 1), offer);
    expect(await newCalls()).toEqual(['begin a1:1 at https://example.com/']);
    // As after a slow commit.
    world.ms += 1;
    prefetcher.begin(grant('a1', 1), offer);
    expect(await newCalls()).toEqual([
      'find a1',
      'release a/a1 initial 1',
      'return a1:2',
      'wake a/a1 initial',
      'dispatch',
    ]);
  });

  it.each<[what: string, offered: (offer: number) => number | null]>([
    ['without an offer', () => null],
    ['with a later offer', (offer) => offer + 1],
  ])('begin after their webhook has been read again, when they have waited: %s', async (_what, offered) => {
    const { prefetcher, offer, world, newCalls } = await filled('a1:1', 'a1:2', 'a1:3');
    world.found = endpoint('a1', { url: 'https://new.example.com/' });
    prefetcher.begin(grant('a1', 2), offered(offer));
    expect(await newCalls()).toEqual([
      'find a1',
      'begin a1:1 at https://new.example.com/',
      'begin a1:2 at https://new.example.com/',
    ]);
  });

  it('begin at once or later, depending on the offer that each came with', async () => {
    const { prefetcher, newCalls } = await filled('a1:1');
    const offer = prefetcher.accept([delivery('a1:2')], until(LEASE_MS));
    await newCalls();
    prefetcher.begin(grant('a1', 2), offer);
    expect(await newCalls()).toEqual([
      'begin a1:2 at https://example.com/',
      'find a1',
      'begin a1:1 at https://example.com/',
    ]);
  });

  const BEGUN = ['begin a1:1 at https://example.com/'];
  const RETURNED = ['release a/a1 initial 1', 'return a1:1', 'wake a/a1 initial', 'dispatch'];
  it.each<[what: string, change: (started: Started) => void, calls: string[]]>([
    ['begin while their lease is long enough', ({ world }) => (world.ms = LEASE_MS - ATTEMPT_MS), BEGUN],
    ['return when it is too short', ({ world }) => (world.ms = LEASE_MS - ATTEMPT_MS + 1), RETURNED],
    ['return when their webhook is gone', ({ world }) => (world.found = undefined), RETURNED],
    [
      'return when their webhook may not be prefetched by now',
      ({ world }) => (world.found = endpoint('a1', { mayBePrefetched: false })),
      RETURNED,
    ],
    ['return when the process has another name by now', ({ world }) => (world.owner = 'other'), RETURNED],
    ['return when the process has no name now', ({ world }) => (world.owner = null), RETURNED],
  ])('after they have waited, they %s', async (_what, change, expected) => {
    const started = await filled('a1:1');
    change(started);
    started.prefetcher.begin(grant('a1', 1), null);
    expect(await started.newCalls()).toEqual(['find a1', ...expected]);
  });

  it('after they have waited, they return when the prefetcher is closed meanwhile', async () => {
    const { prefetcher, newCalls } = await filled('a1:1');
    prefetcher.begin(grant('a1', 1), null);
    prefetcher.close();
    expect(await newCalls()).toEqual(['find a1', ...RETURNED]);
  });

  it('wait again in their order, when their webhook cannot be read', async () => {
    const { prefetcher, world, newCalls } = await filled('a1:1', 'a1:2', 'a1:3');
    world.failing = true;
    prefetcher.begin(grant('a1', 2), null);
    expect(await newCalls()).toEqual([
      'find a1',
      'log a webhook could not be read; its deliveries wait',
      'buffered a/a1 2',
      'release a/a1 initial 2',
      'dispatch in 1000',
    ]);
    world.failing = false;
    prefetcher.begin(grant('a1', 3), null);
    expect((await newCalls()).map((what) => what.slice(0, 10))).toEqual([
      'find a1',
      'begin a1:1',
      'begin a1:2',
      'begin a1:3',
    ]);
  });

  it.each<[what: string, leave: (prefetcher: Prefetcher) => void, timer: number | null]>([
    ['the prefetcher is closed', (prefetcher) => prefetcher.close(), null],
    ['the clock is set', (prefetcher) => prefetcher.empty(), CHECK_MS],
  ])('return when %s meanwhile and their webhook cannot be read', async (_what, leave, timer) => {
    const { prefetcher, buffer, world, newCalls, timerMs } = await filled('a1:1', 'a1:2');
    world.failing = true;
    prefetcher.begin(grant('a1', 2), null);
    leave(prefetcher);
    world.failing = false;
    expect(await newCalls()).toEqual([
      'find a1',
      'log a webhook could not be read; its deliveries wait',
      'release a/a1 initial 2',
      'return a1:1 a1:2',
      'wake a/a1 initial',
      'wake a/a1 initial',
      'dispatch',
    ]);
    expect([buffer.items, timerMs()]).toEqual([0, timer]);
  });

  it('do not begin when the buffer has been emptied', async () => {
    const { prefetcher, newCalls } = start();
    prefetcher.begin(grant('a1', 1), null);
    expect(await newCalls()).toEqual([]);
  });
});

describe('deliveries in the buffer', () => {
  it('all return when the prefetcher is closed', async () => {
    const { prefetcher, buffer, newCalls, timerMs } = await filled('a1:1', 'b1:2', 'a1:3');
    expect(timerMs()).toBe(CHECK_MS);
    prefetcher.close();
    expect(await newCalls()).toEqual([
      'unbuffered a/a1 1',
      'unbuffered a/a1 1',
      'unbuffered b/b1 1',
      'return a1:1 a1:3 b1:2',
      'wake a/a1 initial',
      'wake a/a1 initial',
      'wake b/b1 initial',
      'dispatch',
    ]);
    expect([buffer.items, timerMs()]).toEqual([0, null]);
  });

  it('return when their lease ends before a moment', async () => {
    const { prefetcher, newCalls } = await filled('a1:1');
    prefetcher.accept([delivery('a1:2')], until(LEASE_MS - 1));
    await newCalls();
    prefetcher.empty(START + LEASE_MS - 1);
    expect(await newCalls()).toEqual([]);
    prefetcher.empty();
    expect((await newCalls())[2]).toBe('return a1:1 a1:2');
  });

  it('return before their lease is too short for an attempt', async () => {
    const { prefetcher, world, ring, timerMs, newCalls } = await filled('a1:1');
    world.ms = 10_000;
    // There is one timer, whatever is offered.
    prefetcher.accept([delivery('a1:2')], until(10_000 + LEASE_MS));
    await newCalls();
    world.ms = LEASE_MS - ATTEMPT_MS;
    ring();
    expect([await newCalls(), timerMs()]).toEqual([[], CHECK_MS]);
    world.ms += 1;
    ring();
    expect(await newCalls()).toEqual(['unbuffered a/a1 1', 'return a1:1', 'wake a/a1 initial', 'dispatch']);
    world.ms += 10_000;
    expect(timerMs()).toBe(CHECK_MS);
    ring();
    expect(await newCalls()).toContain('return a1:2');
    // The timer stops with the last delivery, and starts again with the next.
    expect(timerMs()).toBeNull();
    prefetcher.accept([delivery('a1:3')], until(100_000));
    expect(timerMs()).toBe(CHECK_MS);
  });

  it.each<[what: string, leave: (started: Started) => void]>([
    [
      'it has been closed and is open again',
      ({ prefetcher }) => {
        prefetcher.close();
        prefetcher.open();
        prefetcher.accept([delivery('a1:2')], until(LEASE_MS));
      },
    ],
    [
      'they wait again',
      ({ prefetcher, world, ring, timerMs }) => {
        world.failing = true;
        prefetcher.begin(grant('a1', 1), null);
        ring();
        expect(timerMs()).toBeNull();
      },
    ],
  ])('return before their lease is too short for an attempt, when %s', async (_what, leave) => {
    const started = await filled('a1:1');
    leave(started);
    await started.newCalls();
    expect([started.buffer.items, started.timerMs()]).toEqual([1, CHECK_MS]);
  });

  it('need no timer while there are none', async () => {
    const { prefetcher, timerMs, newCalls } = start();
    prefetcher.accept([delivery('a1:1', 11)], until(LEASE_MS));
    await newCalls();
    expect(timerMs()).toBeNull();
  });
});
