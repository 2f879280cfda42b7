import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import { until } from '../api/support/until.ts';
import { type Delivery, deliver, read, subscribe } from '../delivery/support.ts';
import { SENDER_MODES } from '../delivery/sender-modes.ts';
import { TestClock } from '../delivery/test-clock.ts';
import { type Behavior, DEADLINE_MS, type Patience } from './behavior.ts';
import { BEHAVIORS } from './behaviors.ts';
import { TRUSTED } from './behaviors/tls.ts';

// Tests the whole server, with shorter deadlines, sending from its main thread and from a separate thread. Its clock
// stands still, so that the time of the next attempt is exact.

const PATIENCES: readonly Patience[] = ['short', 'medium', 'long'];
const time = new TestClock();
const workspaces = {} as Record<`${Patience} ${0 | 1}`, TestWorkspace & { stop(): Promise<void> }>;

beforeAll(async () => {
  for (const [patience, senders] of PATIENCES.flatMap((each) =>
    SENDER_MODES.map(([, count]) => [each, count] as const),
  )) {
    workspaces[`${patience} ${senders}`] = await startWorkspace({
      flags: { senders },
      ca: TRUSTED.join('\n'),
      clock: time.clock,
      timer: time.timer,
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
      attemptTimeoutMs: DEADLINE_MS[patience],
    });
  }
});
afterAll(async () => {
  for (const workspace of Object.values(workspaces)) await workspace.stop();
});

describe.concurrent.each(SENDER_MODES)('%s, a receiver', (_, senders) => {
  it.each(BEHAVIORS)('that $name has the expected outcome', async ({ patience, start, outcome }) => {
    const receiver = await start();
    try {
      const there = await subscribe(workspaces[`${patience} ${senders}`], receiver.url);
      const { id } = await deliver(there);
      const delivery = await until('an attempt', async () => {
        const seen = await read(there, id);
        return seen.attempt_count > 0 && seen;
      });
      expect(summaryOf(delivery)).toEqual(expectedOf(outcome));
      expect(receiver.connections()).toBe(outcome.connections ?? 1);
      const { status } = await there.api.call('webhooks.get', { params: { webhookId: there.webhookId } });
      expect(status).toBe(outcome.disabled ? 'disabled' : 'active');
      expectInTime(delivery, patience);
      // Errors of the system, such as "connect ECONNREFUSED 127.0.0.1:80", are not shown.
      expect(JSON.stringify(delivery.attempts)).not.toContain(new URL(receiver.url).port);
    } finally {
      await receiver.stop();
    }
  });
});

it('the table has more than fifty behaviors, each with its own name', () => {
  expect(BEHAVIORS.length).toBeGreaterThan(50);
  expect(new Set(BEHAVIORS.map(({ name }) => name)).size).toBe(BEHAVIORS.length);
});

function summaryOf({ status, attempt_count, next_attempt_at, attempts }: Delivery) {
  const [attempt] = attempts;
  return {
    status,
    attempt_count,
    retryMs: next_attempt_at === null ? null : Date.parse(next_attempt_at) - time.clock().getTime(),
    responseStatus: attempt?.response_status,
    body: attempt?.response_body,
    error: attempt?.error,
  };
}

function expectedOf({ status, body, error, retryMs = 5_000, disabled }: Behavior['outcome']) {
  const ok = status !== undefined && status >= 200 && status < 300;
  const anything = status === undefined ? null : expect.any(String);
  return {
    status: ok ? 'delivered' : disabled ? 'held' : 'retrying',
    attempt_count: 1,
    retryMs: ok || disabled ? null : retryMs,
    responseStatus: status ?? null,
    body: body === undefined ? anything : text(body),
    error: error ? { kind: text(error[0]), message: text(error[1]) } : null,
  };
}

const text = (expected: string | RegExp): unknown =>
  expected instanceof RegExp ? expect.stringMatching(expected) : expected;

/** Checks that the attempt was ended by the receiver, or soon after its deadline. */
function expectInTime({ attempts }: Delivery, patience: Patience): void {
  const duration = attempts[0]?.duration_ms ?? Number.NaN;
  const deadline = DEADLINE_MS[patience];
  if (patience === 'long') expect(duration).toBeLessThan(deadline);
  else expect(duration).toBeLessThan(deadline + 5_000);
}
