import { describe, expect, it } from 'vitest';
import type { QueuePart } from '../domain/deliveries/queue-part.ts';
import { Claimer } from './claimer.ts';
import type { Claimed, ClaimRequest, DeliveryStore, LeasedDelivery } from './delivery-store.ts';
import type { Grant, Scheduler } from './scheduler/scheduler.ts';
import type { WebhookKey } from './scheduler/webhook-queue.ts';

/** `a1`: the first webhook of workspace a. */
const grant = (webhookId: string, initial: number, retry = 0, ahead = 0): Grant => ({
  webhookId,
  workspaceId: webhookId.slice(0, 1),
  buffered: 0,
  claims: { initial, retry },
  ahead,
});
const delivery = (id: string, part: QueuePart = 'initial') => ({ id, part }) as LeasedDelivery;
const claimed = (webhookId: string, values: Partial<Claimed> = {}): Claimed => ({
  webhookId,
  deliveries: [],
  nextDueAt: {},
  pausedUntil: 0,
  ...values,
});

/** A claimer with an empty store, and a record of the calls that it makes, in order. */
function start() {
  const calls: string[] = [];
  const works: Promise<unknown>[] = [];
  /** State that tests change. */
  const world = {
    owner: 'me' as string | null,
    claim: async (): Promise<Claimed[]> => [],
  };
  const record = (what: string) => void calls.push(what);
  const recordCall = (what: string, { webhookId, workspaceId }: WebhookKey, ...rest: unknown[]) =>
    record([what, `${workspaceId}/${webhookId}`, ...rest].join(' '));
  const scheduler: Pick<Scheduler, 'wake' | 'release' | 'expect' | 'pause'> = {
    wake: (key, part) => recordCall('wake', key, part),
    release: (key, part, count) => recordCall('release', key, part, count),
    expect: (key, part, dueAt) => recordCall('expect', key, part, dueAt),
    pause: (key, until) => recordCall('pause', key, until),
  };
  const store: Pick<DeliveryStore, 'claim'> = {
    claim: (owner, requests: readonly ClaimRequest[]) => {
      const wanted = requests.map(
        ({ webhookId, limits, ahead = 0 }) =>
          `${webhookId}:${limits.initial}+${limits.retry}${ahead > 0 ? ` and ${ahead} ahead` : ''}`,
      );
      record(`${owner} claims ${wanted.join(' ')}`);
      return world.claim();
    },
  };
  const log = (_fields: object, message: string) => record(`log ${message}`);
  const claimer = new Claimer(
    { log: { debug: log, info: log, warn: log, error: log } },
    {
      owner: () => world.owner,
      store,
      scheduler,
      now: () => ({ wall: 0, elapsed: 0 }),
      begin: ({ id }) => record(`begin ${id}`),
      keep: (kept) => kept.length > 0 && record(`keep ${kept.map(({ id }) => id).join(' ')}`),
      track: (work) => works.push(work),
      dispatch: (inMs) => record(inMs === undefined ? 'dispatch' : `dispatch in ${inMs}`),
    },
  );
  return {
    claimer,
    world,
    works,
    calls,
    /** Returns the calls since the last time. */
    newCalls: async () => {
      while (works.length > 0) await works.shift();
      return calls.splice(0);
    },
  };
}

describe('deliveries are claimed', () => {
  it('in one claim for all grants of a turn of the event loop, once for each webhook', async () => {
    const { claimer, calls, works, newCalls } = start();
    for (const one of [grant('a1', 2), grant('b1', 1, 3), grant('a1', 1, 4)]) claimer.claim(one);
    // Nothing is claimed in the middle of the turn, and the engine waits for the claim.
    expect([calls, works.length]).toEqual([[], 1]);
    expect(await newCalls()).toEqual(['me claims a1:3+4 b1:1+3', 'dispatch']);
  });

  it('in the next claim, when they are granted during one', async () => {
    const { claimer, world, calls, works, newCalls } = start();
    const first = Promise.withResolvers<Claimed[]>();
    world.claim = () => first.promise;
    claimer.claim(grant('a1', 1));
    await Promise.resolve();
    claimer.claim(grant('b1', 1));
    await Promise.resolve();
    claimer.claim(grant('c1', 0, 1));
    await Promise.resolve();
    expect([calls, works.length]).toEqual([['me claims a1:1+0'], 1]);
    first.resolve([]);
    expect(await newCalls()).toEqual(['me claims a1:1+0', 'dispatch', 'me claims b1:1+0 c1:0+1', 'dispatch']);
  });

  it('no more after a close, not even those that were granted before', async () => {
    const { claimer, works, newCalls } = start();
    claimer.claim(grant('a1', 1));
    claimer.close();
    expect(await newCalls()).toEqual([]);
    claimer.claim(grant('a1', 1));
    expect([await newCalls(), works]).toEqual([[], []]);
  });

  it('no more after a close during a claim', async () => {
    const { claimer, world, newCalls } = start();
    world.claim = async () => {
      world.claim = async () => [];
      claimer.claim(grant('b1', 1));
      claimer.close();
      return [claimed('a1', { deliveries: [delivery('7')] })];
    };
    claimer.claim(grant('a1', 1));
    // `begin` returns it.
    expect(await newCalls()).toEqual(['me claims a1:1+0', 'begin 7', 'dispatch']);
  });

  it('under the name that the process has by then', async () => {
    const { claimer, world, newCalls } = start();
    claimer.claim(grant('a1', 1));
    expect(await newCalls()).toEqual(['me claims a1:1+0', 'dispatch']);
    claimer.claim(grant('a1', 1));
    world.owner = 'new';
    expect(await newCalls()).toEqual(['new claims a1:1+0', 'dispatch']);
  });
});

describe('after a claim', () => {
  it.each<[what: string, given: Grant, found: Partial<Claimed>, calls: string[]]>([
    [
      'all begin, when there are as many as were granted',
      grant('a1', 1, 1),
      { deliveries: [delivery('7'), delivery('8', 'retry')] },
      ['begin 7', 'begin 8'],
    ],
    [
      'those without a permit are kept in the prefetch buffer',
      grant('a1', 1, 1, 2),
      {
        deliveries: [delivery('7'), delivery('8'), delivery('9'), delivery('10', 'retry')],
        nextDueAt: { initial: 5 },
      },
      ['begin 7', 'begin 10', 'keep 8 9', 'expect a/a1 initial 5'],
    ],
    [
      'the permits that none of them needs are given back',
      grant('a1', 3, 2),
      { deliveries: [delivery('7')] },
      ['begin 7', 'release a/a1 initial 2', 'release a/a1 retry 2'],
    ],
    [
      'permits are given back in the part that has too few',
      grant('a1', 1, 2),
      { deliveries: [delivery('7'), delivery('8', 'retry')] },
      ['begin 7', 'begin 8', 'release a/a1 retry 1'],
    ],
    [
      'the next ones are expected when they are due, before permits are given back',
      grant('a1', 1, 1),
      { nextDueAt: { initial: 0, retry: 900 } },
      ['expect a/a1 initial 0', 'release a/a1 initial 1', 'expect a/a1 retry 900', 'release a/a1 retry 1'],
    ],
    [
      'nothing is expected in a part that has nothing, or was not asked for',
      grant('a1', 1),
      { deliveries: [delivery('7')], nextDueAt: { initial: null } },
      ['begin 7'],
    ],
    [
      'a webhook at its rate limit pauses, and expects nothing before the end of the pause',
      grant('a1', 1, 1),
      {
        deliveries: [delivery('7'), delivery('8', 'retry')],
        nextDueAt: { initial: 499, retry: 501 },
        pausedUntil: 500,
      },
      ['pause a/a1 500', 'begin 7', 'begin 8', 'expect a/a1 initial 500', 'expect a/a1 retry 501'],
    ],
  ])('%s', async (_what, given, found, expected) => {
    const { claimer, world, newCalls } = start();
    world.claim = async () => [claimed('a1', found)];
    claimer.claim(given);
    expect((await newCalls()).slice(1)).toEqual([...expected, 'dispatch']);
  });

  it('each webhook has its own grant, in whatever order the store returns them, and one without a grant is ignored', async () => {
    const { claimer, world, newCalls } = start();
    world.claim = async () => [
      claimed('b1', { deliveries: [delivery('8')] }),
      claimed('c1', { nextDueAt: { initial: 5 } }),
      claimed('a1', { deliveries: [delivery('7')], nextDueAt: { initial: 10 } }),
    ];
    for (const one of [grant('a1', 1), grant('b1', 1), grant('a1', 2)]) claimer.claim(one);
    expect(await newCalls()).toEqual([
      'me claims a1:3+0 b1:1+0',
      'begin 8',
      'begin 7',
      'expect a/a1 initial 10',
      'release a/a1 initial 2',
      'dispatch',
    ]);
  });
});

describe('without a claim', () => {
  const GIVEN_BACK = [
    'wake a/a1 initial',
    'release a/a1 initial 3',
    'wake b/b1 initial',
    'release b/b1 initial 1',
    'wake b/b1 retry',
    'release b/b1 retry 2',
  ];
  it.each<[what: string, change: (world: ReturnType<typeof start>['world']) => void, calls: string[]]>([
    [
      'the database fails',
      (world) => (world.claim = () => Promise.reject(new Error('lost connection'))),
      [
        'me claims a1:3+0 b1:1+2',
        'log deliveries could not be claimed; trying again',
        ...GIVEN_BACK,
        'dispatch in 1000',
      ],
    ],
    ['the process has no name now', (world) => (world.owner = null), [...GIVEN_BACK, 'dispatch']],
  ])(
    'all permits are given back, and the webhooks have another turn: %s',
    async (_what, change, expected) => {
      const { claimer, world, newCalls } = start();
      change(world);
      for (const one of [grant('a1', 1), grant('b1', 1, 2), grant('a1', 2)]) claimer.claim(one);
      expect(await newCalls()).toEqual(expected);
      Object.assign(world, { owner: 'me', claim: async () => [] });
      claimer.claim(grant('a1', 3));
      expect(await newCalls()).toEqual(['me claims a1:3+0', 'dispatch']);
    },
  );

  it('no more than 256 are claimed ahead at once', async () => {
    const { claimer, world, works, newCalls } = start();
    expect(claimer.mayClaimAhead).toBe(256);
    claimer.claim(grant('a1', 1, 0, 200));
    claimer.claim(grant('b1', 1, 0, 20));
    expect(claimer.mayClaimAhead).toBe(36);
    await newCalls();
    expect(claimer.mayClaimAhead).toBe(256);
    world.claim = () => Promise.reject(new Error('lost connection'));
    claimer.claim(grant('a1', 1, 0, 256));
    expect([claimer.mayClaimAhead, works.length]).toEqual([0, 1]);
    await newCalls();
    expect(claimer.mayClaimAhead).toBe(256);
  });

  it('a webhook that should have been claimed from ahead has another turn', async () => {
    const { claimer, world, newCalls } = start();
    world.claim = () => Promise.reject(new Error('lost connection'));
    for (const one of [grant('a1', 0, 0, 20), grant('a1', 0, 0, 30)]) claimer.claim(one);
    expect(await newCalls()).toEqual([
      'me claims a1:0+0 and 50 ahead',
      'log deliveries could not be claimed; trying again',
      'wake a/a1 initial',
      'dispatch in 1000',
    ]);
  });
});

it('claims again after an unexpected error', async () => {
  const { claimer, world, works, calls, newCalls } = start();
  world.claim = async () => [claimed('a1', { deliveries: [null as unknown as LeasedDelivery] })];
  claimer.claim(grant('a1', 1));
  await expect(works.shift()).rejects.toThrow(TypeError);
  world.claim = async () => [];
  calls.length = 0;
  claimer.claim(grant('a1', 1));
  expect(await newCalls()).toEqual(['me claims a1:1+0', 'dispatch']);
});
