import { LIMITS } from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import { until } from '../api/support/until.ts';
import {
  responding,
  deliver,
  deliveriesOf,
  fence,
  header,
  holding,
  newWebhook,
  NOBODY,
  publish,
  reaches,
  read,
  receiver,
  subscribe,
} from './support.ts';
import { TestClock } from './test-clock.ts';

const DAY_MS = 24 * 60 * 60_000;

const time = new TestClock();
let workspace: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  workspace = await startWorkspace({ clock: time.clock, timer: time.timer });
});
afterAll(() => workspace.stop());

const isoIn = (ms: number) => new Date(time.clock().getTime() + ms).toISOString();
/** A due attempt begins at most a millisecond late: timers round up. */
const ROUNDING_MS = 1;

describe('a delivery that fails', () => {
  it('is attempted after 0, 5 s, 25 s, 2 min and 10 min, never earlier, and never a sixth time', async () => {
    const witness = await responding(500);
    const there = await subscribe(workspace, witness.url);
    const { id } = await deliver(there);

    const failures: { at: string; next: string | null }[] = [];
    for (const [index, delay] of LIMITS.retryDelaysMs.entries()) {
      if (index > 0) {
        time.advance(delay - 1);
        await fence(workspace);
        expect(witness.calls).toHaveLength(index);
        time.advance(1 + ROUNDING_MS);
      }
      const status = index < 4 ? 'retrying' : 'failed';
      const failed = await reaches(there, id, { status, attempts: index + 1 });
      failures.push({ at: isoIn(0), next: failed.next_attempt_at });
      const following = LIMITS.retryDelaysMs[index + 1];
      expect(failed).toMatchObject({
        next_attempt_at: following === undefined ? null : isoIn(following),
        completed_at: following === undefined ? isoIn(0) : null,
      });
    }

    time.advance(2 * DAY_MS);
    await fence(workspace);
    const delivery = await read(there, id);
    expect(witness.calls).toHaveLength(5);
    expect(delivery).toMatchObject({ status: 'failed', attempt_count: 5, next_attempt_at: null });
    expect(
      delivery.attempts.map(({ attempt, trigger, response_status: status, started_at: at }) => [
        attempt,
        trigger,
        status,
        at,
      ]),
    ).toEqual(failures.map(({ at }, index) => [index + 1, 'event', 500, at]));

    // The bytes and the ID stay the same; the number and the time of the attempt change.
    expect(new Set(witness.calls.map((call) => call.bytes.toString('hex'))).size).toBe(1);
    expect(witness.calls[0]?.body).toBe(delivery.request_body);
    expect(witness.calls.map((call) => header(call, 'x-service-attempt'))).toEqual(['1', '2', '3', '4', '5']);
    expect(new Set(witness.calls.map((call) => header(call, 'webhook-id')))).toEqual(new Set([id]));
    expect(new Set(witness.calls.map((call) => header(call, 'x-service-signature'))).size).toBe(1);
    expect(new Set(witness.calls.map((call) => header(call, 'webhook-timestamp'))).size).toBe(5);
  });

  it('ends when an attempt succeeds', async () => {
    const witness = await responding(500, 503, 204);
    const there = await subscribe(workspace, witness.url);
    const { id } = await deliver(there);
    await reaches(there, id, { status: 'retrying', attempts: 1 });
    time.advance(5_000 + ROUNDING_MS);
    await reaches(there, id, { status: 'retrying', attempts: 2 });
    time.advance(25_000 + ROUNDING_MS);
    const delivered = await reaches(there, id, { status: 'delivered', attempts: 3 });
    expect(delivered).toMatchObject({ next_attempt_at: null, completed_at: isoIn(0) });
    time.advance(DAY_MS);
    await fence(workspace);
    expect(witness.calls).toHaveLength(3);
  });

  it('follows no redirect: a 3xx is a failure', async () => {
    const elsewhere = await receiver();
    const witness = await receiver(() => ({ status: 307, headers: { location: elsewhere.url } }));
    const there = await subscribe(workspace, witness.url);
    const { id } = await deliver(there);
    const { attempts } = await reaches(there, id, { status: 'retrying', attempts: 1 });
    expect(attempts).toMatchObject([{ response_status: 307, error: { kind: 'redirect' } }]);
    expect(elsewhere.calls).toEqual([]);
  });

  it('says why when nobody listens', async () => {
    const there = await subscribe(workspace, NOBODY);
    const { id } = await deliver(there);
    const { attempts } = await reaches(there, id, { status: 'retrying', attempts: 1 });
    expect(attempts).toMatchObject([{ response_status: null, error: { kind: 'connect' } }]);
  });
});

describe("a receiver's Retry-After", () => {
  it.each([
    [503, '60', 60_000],
    [429, '7', 7_000],
    [429, '1', 5_000],
    [503, '86400', LIMITS.retryAfterMaxMs],
    [503, 'soon', 5_000],
    [500, '60', 5_000],
  ])('with %d and %s moves the next attempt to %d ms later', async (status, retryAfter, delay) => {
    const witness = await receiver(() => ({ status, headers: { 'retry-after': retryAfter } }));
    const there = await subscribe(workspace, witness.url);
    const { id } = await deliver(there);
    const { next_attempt_at: next } = await reaches(there, id, { status: 'retrying', attempts: 1 });
    expect(next).toBe(isoIn(delay));
  });
});

describe('a retry by hand', () => {
  const retry = (deliveryId: string) => workspace.api.call('deliveries.retry', { params: { deliveryId } });

  /** A delivery at the end of its schedule, with a receiver that responds with `then` from there on. */
  async function exhausted(then: number) {
    const witness = await responding(500, 500, 500, 500, 500, then);
    const there = await subscribe(workspace, witness.url);
    const { id } = await deliver(there);
    for (const [index, delay] of LIMITS.retryDelaysMs.entries()) {
      if (index > 0) time.advance(delay + ROUNDING_MS);
      await reaches(there, id, { status: index < 4 ? 'retrying' : 'failed', attempts: index + 1 });
    }
    return { there, witness, id };
  }

  it('delivers a failed delivery', async () => {
    const { there, witness, id } = await exhausted(200);
    expect(await retry(id)).toMatchObject({ status: 'retrying', next_attempt_at: isoIn(0) });
    const { attempts } = await reaches(there, id, { status: 'delivered', attempts: 6 });
    expect(attempts.at(-1)).toMatchObject({ attempt: 6, trigger: 'manual', response_status: 200 });
    expect(header(witness.calls[5], 'x-service-attempt')).toBe('6');
    expect(witness.calls[5]?.bytes.equals(witness.calls[0]?.bytes ?? Buffer.of())).toBe(true);
  });

  it('that fails starts no new schedule', async () => {
    const { there, witness, id } = await exhausted(500);
    await retry(id);
    await reaches(there, id, { status: 'failed', attempts: 6 });
    time.advance(DAY_MS);
    await fence(workspace);
    expect(witness.calls).toHaveLength(6);
  });

  it('between two attempts of the schedule leaves the schedule where it was', async () => {
    const witness = await responding(500, 500, 500, 200);
    const there = await subscribe(workspace, witness.url);
    const { id } = await deliver(there);
    await reaches(there, id, { status: 'retrying', attempts: 1 });
    time.advance(1_000);
    const due = isoIn(4_000);
    await retry(id);
    const after = await reaches(there, id, { status: 'retrying', attempts: 2 });
    expect(after.next_attempt_at).toBe(due);
    time.advance(4_000 + ROUNDING_MS);
    // This is the schedule's second failure, so its third delay applies, although three attempts were made.
    const second = await reaches(there, id, { status: 'retrying', attempts: 3 });
    expect(second.next_attempt_at).toBe(isoIn(25_000));
    expect(second.attempts.map((attempt) => attempt.trigger)).toEqual(['event', 'manual', 'event']);
  });

  it('sends a delivered delivery again, which stays delivered even if that fails', async () => {
    const witness = await responding(200, 500);
    const there = await subscribe(workspace, witness.url);
    const { id } = await deliver(there);
    const first = await reaches(there, id, { status: 'delivered', attempts: 1 });
    time.advance(1_000);
    await retry(id);
    const second = await reaches(there, id, { status: 'delivered', attempts: 2 });
    expect(second.completed_at).toBe(first.completed_at);
    expect(second.attempts.at(-1)).toMatchObject({ trigger: 'manual', response_status: 500 });
    time.advance(DAY_MS);
    await fence(workspace);
    expect(witness.calls).toHaveLength(2);
  });

  it('is refused for a delivery that waits behind a rate limit, without the claim that an attempt is under way', async () => {
    const witness = await receiver();
    const there = await newWorkspace(workspace);
    await newWebhook(there, witness.url, { rate_limit: { per_second: 1 } });
    const { id } = await deliver(there);
    await reaches(there, id, { status: 'delivered' });
    await publish(there);
    await fence(workspace);
    const [waiting = { id: '' }] = (await deliveriesOf(there)).filter(({ status }) => status === 'pending');
    const params = { deliveryId: waiting.id };
    const refused = await there.api.refused('deliveries.retry', 409, { params });
    expect(refused.message).toMatch(/waits for its turn or is under way.*rate_limit/);
    expect(witness.calls).toHaveLength(1);
  });

  it('is refused while an attempt is under way, and for a webhook that is disabled or deleted', async () => {
    const slow = await holding();
    const there = await subscribe(workspace, slow.url);
    const { id } = await deliver(there);
    await until('an attempt under way', () => slow.waiting() === 1);
    await workspace.api.refused('deliveries.retry', 409, { params: { deliveryId: id } });
    slow.respond(200);
    await reaches(there, id, { status: 'delivered' });
    const params = { webhookId: there.webhookId };
    await workspace.api.call('webhooks.update', { params, body: { status: 'disabled' } });
    await workspace.api.refused('deliveries.retry', 422, { params: { deliveryId: id } });
    await workspace.api.call('webhooks.delete', { params });
    await workspace.api.refused('deliveries.retry', 422, { params: { deliveryId: id } });
    expect(slow.calls).toHaveLength(1);
  });
});

it('a test call is made once, and a failure of it is the end', async () => {
  const witness = await responding(500);
  const there = await subscribe(workspace, witness.url);
  const { id, trigger } = await workspace.api.call('webhooks.test', {
    params: { webhookId: there.webhookId },
    body: { event_type: 'user.invited' },
  });
  expect(trigger).toBe('test');
  const failed = await reaches(there, id, { status: 'failed', attempts: 1 });
  expect(failed).toMatchObject({ event_id: null, attempts: [{ trigger: 'test', response_status: 500 }] });
  expect(header(witness.calls[0], 'x-service-event')).toBe('user.invited');
  time.advance(DAY_MS);
  await fence(workspace);
  expect(witness.calls).toHaveLength(1);
});
