import { describe, expect, it } from 'vitest';
import { createBudgets } from '../../limits/byte-budget.ts';
import type { AttemptOutcome, DeliveryStore, LeasedDelivery } from '../delivery-store.ts';
import type { RunningAttempt, Scheduler } from '../scheduler/scheduler.ts';
import type { WebhookKey } from '../scheduler/webhook-queue.ts';
import type { CallResult } from '../senders/call.ts';
import { Attempts } from './attempts.ts';

const DUE = 7_000;
const OK: CallResult = {
  durationMs: 3,
  response: { status: 200, headers: {}, body: '' },
  error: null,
  retryAfter: null,
  ok: true,
  localFailure: false,
};
const REFUSED: CallResult = { ...OK, response: { status: 500, headers: {}, body: '' }, ok: false };
const NOT_MADE: CallResult = { ...OK, response: null, ok: false, localFailure: true };

/** `a1:7`: a delivery of the first webhook of workspace a. */
const delivery = (id: string, values: Partial<LeasedDelivery> = {}) =>
  ({
    id,
    endpoint: { id: id.slice(0, 2), workspaceId: id.slice(0, 1), url: 'https://example.com/' },
    lease: { seq: 1, token: 1, owner: 'me' },
    part: 'initial',
    trigger: 'event.created',
    attempts: 0,
    interruptions: 0,
    body: '{}',
    bytes: 2,
    ...values,
  }) as LeasedDelivery;

/** Attempts with a receiver that responds 200, and a record of the calls that they make, in order. */
function start() {
  const calls: string[] = [];
  const works: Promise<unknown>[] = [];
  /** State that tests change. */
  const world = {
    owner: 'me' as string | null,
    send: async (): Promise<CallResult | 'interrupted'> => OK,
    secrets: ['whsec_a'] as string[] | null,
    /** The time at which a recorded delivery is due again. */
    dueAt: null as number | null,
    failing: false,
    isActive: true,
  };
  const record = (what: string) => void calls.push(what);
  const recordCall = (what: string, { webhookId, workspaceId }: WebhookKey, ...rest: unknown[]) =>
    record([what, `${workspaceId}/${webhookId}`, ...rest].join(' '));
  const scheduler: Pick<Scheduler, 'begin' | 'end' | 'noteRecorded' | 'expect' | 'release'> = {
    begin: (key, part, { elapsed }) => {
      recordCall('begin', key, part, `at ${elapsed}`);
      return {} as RunningAttempt;
    },
    end: (_attempt, response) =>
      record(response ? `end ${response.ok ? 'ok' : 'failed'} after ${response.durationMs} ms` : 'end'),
    noteRecorded: () => record('recorded'),
    expect: (key, part, dueAt) => recordCall('expect', key, part, dueAt),
    release: (key, part, count) => recordCall('release', key, part, count),
  };
  const returned = async (what: string) => {
    record(what);
    if (world.failing) throw new Error('lost connection');
    return DUE;
  };
  const store: Partial<DeliveryStore> = {
    signingSecrets: () => world.secrets,
    findEndpoint: async () => ({ ...delivery('a1:7').endpoint, isActive: world.isActive }),
    readBody: async ({ id }) => {
      record(`read ${id}`);
      if (world.failing) throw new Error('lost connection');
      return Buffer.from('{}');
    },
    record: async (ended) => {
      for (const {
        delivery: { id },
        outcome,
      } of ended)
        record(`record ${id} ${statusOf(outcome)}`);
      if (world.failing) throw new Error('a bug');
      return ended.map(() => world.dueAt);
    },
    returnUnsigned: ({ id }) => returned(`return ${id} unsigned`),
    returnInterrupted: ({ id }) => returned(`return ${id} interrupted`),
    returnLater: ({ id }, delayMs) => returned(`return ${id} for ${delayMs} ms`),
  };
  const log = (_fields: object, message: string) => record(`log ${message}`);
  let elapsed = 0;
  const attempts = new Attempts(
    {
      clock: () => new Date(0),
      log: { debug: log, info: log, warn: log, error: log },
      budgets: createBudgets(160),
    },
    {
      owner: () => world.owner,
      store: store as DeliveryStore,
      sender: {
        send: ({ deliveryId, attempt }) => {
          record(`call ${deliveryId}, attempt ${attempt}`);
          return world.send();
        },
        destroy: async () => {},
      },
      attemptTimeoutMs: 30_000,
      scheduler,
      now: () => ({ wall: 0, elapsed: (elapsed += 1) }),
      track: (work) => works.push(work),
      dispatch: () => record('dispatch'),
    },
  );
  return {
    attempts,
    world,
    /** Returns the calls since the last time. */
    newCalls: async () => {
      while (works.length > 0) await works.shift();
      return calls.splice(0);
    },
  };
}
type Started = ReturnType<typeof start>;

const statusOf = ({ response, error }: AttemptOutcome) => response?.status ?? error?.kind;

describe('a delivery that was granted a permit', () => {
  const BEGUN = ['begin a/a1 initial at 1', 'call a1:7, attempt 1'];
  const FAILED = ['end failed after 3 ms', 'dispatch'];
  const NOT_JUDGED = ['end', 'dispatch'];
  const LEFT = ['recorded', 'dispatch'];

  it.each<
    [what: string, change: (started: Started) => void, values: Partial<LeasedDelivery>, calls: string[]]
  >([
    [
      'is recorded, after its permit is free again',
      () => {},
      {},
      [...BEGUN, 'end ok after 3 ms', 'dispatch', 'record a1:7 200', ...LEFT],
    ],
    [
      'is expected among the retries when it is due again, whichever part it came from',
      ({ world }) => {
        world.send = async () => REFUSED;
        world.dueAt = DUE;
      },
      {},
      [...BEGUN, ...FAILED, 'record a1:7 500', `expect a/a1 retry ${DUE}`, ...LEFT],
    ],
    [
      'is returned without a record after a failure of this machine, for 5 s',
      ({ world }) => void (world.send = async () => NOT_MADE),
      {},
      [
        ...BEGUN,
        'log an attempt failed on this machine',
        ...NOT_JUDGED,
        'return a1:7 for 5000 ms',
        `expect a/a1 initial ${DUE}`,
        ...LEFT,
      ],
    ],
    [
      'is returned at once after such a failure when the server stops, so that another process can have it',
      ({ attempts, world }) => {
        world.send = async () => {
          attempts.close();
          return NOT_MADE;
        };
      },
      {},
      [
        ...BEGUN,
        'log an attempt failed on this machine',
        ...NOT_JUDGED,
        'return a1:7 for 0 ms',
        `expect a/a1 initial ${DUE}`,
        ...LEFT,
      ],
    ],
    [
      'is returned as interrupted when its sender died',
      ({ world }) => void (world.send = async () => 'interrupted'),
      { part: 'retry', attempts: 2 },
      [
        'begin a/a1 retry at 1',
        'call a1:7, attempt 3',
        ...NOT_JUDGED,
        'return a1:7 interrupted',
        `expect a/a1 retry ${DUE}`,
        ...LEFT,
      ],
    ],
    [
      'is taken for the cause after three interruptions: it is recorded as failed, without a call',
      ({ world }) => void (world.dueAt = DUE),
      { interruptions: 3 },
      [
        'begin a/a1 initial at 1',
        'end failed after 0 ms',
        'dispatch',
        'record a1:7 reset',
        `expect a/a1 retry ${DUE}`,
        ...LEFT,
      ],
    ],
    [
      'is returned unsigned when its secret does not decrypt',
      ({ world }) => void (world.secrets = null),
      {},
      [
        'begin a/a1 initial at 1',
        ...NOT_JUDGED,
        'return a1:7 unsigned',
        `expect a/a1 initial ${DUE}`,
        ...LEFT,
      ],
    ],
    [
      'is returned when a bug throws in its attempt',
      ({ world }) =>
        void (world.send = async () => {
          throw new Error('a bug');
        }),
      {},
      [
        ...BEGUN,
        'log unexpected error in an attempt',
        ...NOT_JUDGED,
        'return a1:7 for 5000 ms',
        `expect a/a1 initial ${DUE}`,
        ...LEFT,
      ],
    ],
    [
      'with a large body is read first',
      () => {},
      { body: null },
      [
        'begin a/a1 initial at 1',
        'read a1:7',
        'call a1:7, attempt 1',
        'end ok after 3 ms',
        'dispatch',
        'record a1:7 200',
        ...LEFT,
      ],
    ],
    [
      'with a large body is returned when its webhook is no longer active: the next claim holds or cancels it',
      ({ world }) => void (world.isActive = false),
      { body: null },
      [
        'begin a/a1 initial at 1',
        'read a1:7',
        ...NOT_JUDGED,
        'return a1:7 for 0 ms',
        `expect a/a1 initial ${DUE}`,
        ...LEFT,
      ],
    ],
    [
      'is left to its lease when it can be neither read nor returned',
      ({ world }) => void (world.failing = true),
      { body: null },
      [
        'begin a/a1 initial at 1',
        'read a1:7',
        'log a large body could not be read',
        ...NOT_JUDGED,
        'return a1:7 for 5000 ms',
        'log an attempt could not be recorded',
        ...LEFT,
      ],
    ],
    [
      'is left to its lease when it can never be recorded',
      ({ world }) => void (world.failing = true),
      {},
      [
        ...BEGUN,
        'end ok after 3 ms',
        'dispatch',
        'record a1:7 200',
        'log an attempt could not be recorded',
        ...LEFT,
      ],
    ],
    [
      'is returned unbegun, with its permit, when this process has another name by now',
      ({ world }) => void (world.owner = 'me again'),
      {},
      ['release a/a1 initial 1', 'return a1:7 for 0 ms', `expect a/a1 initial ${DUE}`, 'dispatch'],
    ],
    [
      'is returned unbegun, with its permit, when it was claimed while the server began to stop',
      ({ attempts }) => attempts.close(),
      {},
      ['release a/a1 initial 1', 'return a1:7 for 0 ms', `expect a/a1 initial ${DUE}`, 'dispatch'],
    ],
    [
      'is left to its lease when it has not begun and cannot be returned',
      ({ world }) => {
        world.owner = null;
        world.failing = true;
      },
      {},
      ['release a/a1 initial 1', 'return a1:7 for 0 ms', 'log a delivery could not be returned', 'dispatch'],
    ],
  ])('%s', async (_what, change, values, calls) => {
    const started = start();
    change(started);
    started.attempts.begin(delivery('a1:7', values));
    expect(await started.newCalls()).toEqual(calls);
    expect(started.attempts.working).toEqual([]);
  });
});

it('a delivery counts as being worked on until it is recorded, not only until the receiver responds', async () => {
  const { attempts, world, newCalls } = start();
  const { promise, resolve } = Promise.withResolvers<CallResult>();
  world.send = () => promise;
  attempts.begin(delivery('a1:7'));
  world.send = async () => OK;
  attempts.begin(delivery('a1:8'));
  expect(attempts.working.map(({ id }) => id)).toEqual(['a1:7', 'a1:8']);
  // The second has its response, and waits for its record.
  await Promise.resolve();
  expect(attempts.working).toHaveLength(2);
  resolve(OK);
  await newCalls();
  expect(attempts.working).toEqual([]);
});
