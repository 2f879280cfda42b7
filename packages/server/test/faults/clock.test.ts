import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '@hubline/contract';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { listJobs } from '../../src/start/operator-jobs.ts';
import { parseServerConfig } from '../../src/config/config.ts';
import { openStorage } from '../../src/start/storage/open-storage.ts';
import { RetentionClock } from '../../src/services/operations/retention-clock.ts';
import { type RunningServer, startServer } from '../../src/server.ts';
import { Api } from '../api/support/api.ts';
import { type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import { until } from '../api/support/until.ts';
import {
  responding,
  deliver,
  fence,
  holding,
  newWebhook,
  publish,
  reaches,
  receiver,
  subscribe,
} from '../delivery/support.ts';
import { SENDER_MODES } from '../delivery/sender-modes.ts';
import { TestClock } from '../delivery/test-clock.ts';

const DAY_MS = 24 * 60 * 60_000;
const JUMPS = [-10, -1, 1, 10].map((days) => [days, days * DAY_MS] as const);
// With a sender thread, the largest jumps are enough.
const CASES = SENDER_MODES.map(
  ([mode, senders]) =>
    [mode, senders, senders === 0 ? JUMPS : JUMPS.filter(([days]) => Math.abs(days) > 1)] as const,
);
const back = ([days]: (typeof JUMPS)[number]) => days < 0;
const forward = ([days]: (typeof JUMPS)[number]) => days > 0;
/** A due attempt begins at most a millisecond late: timers round up. */
const ROUNDING_MS = 1;

let time: TestClock;
let workspace: TestWorkspace & { stop(): Promise<void> };

async function begin(senders: number): Promise<void> {
  time = new TestClock(Date.UTC(2030, 0, 2));
  workspace = await startWorkspace({
    flags: { senders },
    clock: time.clock,
    timer: time.timer,
    monotonic: time.monotonic,
  });
  onTestFinished(() => workspace.stop());
}

describe.each(CASES)('%s, a clock that is set back', (_, senders, jumps) => {
  beforeEach(() => begin(senders));

  it.each(jumps.filter(back))(
    'by %i days: a retry comes at its time, neither earlier nor later',
    async (_days, ms) => {
      const witness = await responding(500);
      const there = await subscribe(workspace, witness.url);
      const { id } = await deliver(there);
      await reaches(there, id, { status: 'retrying', attempts: 1 });
      time.set(ms);
      time.advance(LIMITS.retryDelaysMs[1] - 1);
      await fence(workspace);
      expect(witness.calls).toHaveLength(1);
      time.advance(1 + ROUNDING_MS);
      await reaches(there, id, { status: 'retrying', attempts: 2 });
      time.advance(LIMITS.retryDelaysMs[2] - 1);
      await fence(workspace);
      expect(witness.calls).toHaveLength(2);
      time.advance(1 + ROUNDING_MS);
      await reaches(there, id, { status: 'retrying', attempts: 3 });
    },
  );

  it.each(jumps.filter(back))(
    'by %i days during an attempt by hand that fails: the next retry comes at its time',
    async (_days, ms) => {
      const witness = await holding();
      const there = await subscribe(workspace, witness.url);
      const { id } = await deliver(there);
      await until('the first attempt', () => witness.waiting() === 1);
      witness.respond(500);
      await reaches(there, id, { status: 'retrying', attempts: 1 });
      await there.api.call('deliveries.retry', { params: { deliveryId: id } });
      await until('the attempt by hand', () => witness.waiting() === 1);
      time.set(ms);
      await fence(workspace);
      witness.respond(500);
      await reaches(there, id, { status: 'retrying', attempts: 2 });
      time.advance(LIMITS.retryDelaysMs[1] - 1);
      await fence(workspace);
      expect(witness.calls).toHaveLength(2);
      time.advance(1 + ROUNDING_MS);
      await until('the retry', () => witness.waiting() === 1);
      witness.respond(200);
      await reaches(there, id, { status: 'delivered', attempts: 3 });
    },
  );

  it.each(jumps.filter(back))(
    'by %i days while the server is down: a retry comes at the latest after the longest delay',
    async (_days, ms) => {
      const witness = await responding(500, 200);
      const data = await mkdtemp(join(tmpdir(), 'hubline-clock-'));
      onTestFinished(() => rm(data, { recursive: true }));
      const flags = { data, port: 0, logLevel: 'silent', allowHttpLocalhost: true, senders } as const;
      const config = parseServerConfig(flags, {});
      const owner = await bootstrap(config, { email: 'owner@example.com', name: 'Acme', slug: 'acme' });
      const start = () =>
        startServer(config, { clock: time.clock, timer: time.timer, monotonic: time.monotonic });
      const there = ({ baseUrl }: RunningServer) => ({
        ...workspace,
        api: new Api(baseUrl, owner.api_key),
        workspaceId: owner.workspace_id ?? '',
      });
      let id: string;
      {
        await using server = await start();
        await newWebhook(there(server), witness.url);
        ({ id } = await deliver(there(server)));
        await reaches(there(server), id, { status: 'retrying', attempts: 1 });
      }
      time.set(ms);
      await using server = await start();
      time.advance(LIMITS.retryDelaysMs[1] - 1);
      await fence(workspace);
      expect(witness.calls).toHaveLength(1);
      time.advance(Math.max(...LIMITS.retryDelaysMs));
      await reaches(there(server), id, { status: 'delivered', attempts: 2 });
    },
  );
});

describe.each(CASES)('%s, a clock that is set forward', (_, senders, jumps) => {
  beforeEach(() => begin(senders));

  it.each(jumps.filter(forward))(
    'by %i days: scheduled attempts are due, once, and the schedule continues from there',
    async (_days, ms) => {
      const witness = await responding(500);
      const there = await subscribe(workspace, witness.url);
      const { id } = await deliver(there);
      await reaches(there, id, { status: 'retrying', attempts: 1 });
      time.set(ms);
      // The engine notices when it has work.
      await fence(workspace);
      await reaches(there, id, { status: 'retrying', attempts: 2 });
      time.advance(LIMITS.retryDelaysMs[2] - 1);
      await fence(workspace);
      expect(witness.calls).toHaveLength(2);
      time.advance(1 + ROUNDING_MS);
      await reaches(there, id, { status: 'retrying', attempts: 3 });
    },
  );
});

describe.each(CASES)('%s, a clock that is set', (_, senders, jumps) => {
  beforeEach(() => begin(senders));

  it.each(jumps)(
    'by %i days during an attempt: it is not made a second time, and counts',
    async (_days, ms) => {
      const witness = await holding();
      const there = await subscribe(workspace, witness.url);
      const { id } = await deliver(there);
      await until('the attempt', () => witness.calls.length === 1);
      time.set(ms);
      for (let look = 0; look < 3; look += 1) {
        await fence(workspace);
        time.advance(1_000);
      }
      expect(witness.calls).toHaveLength(1);
      witness.respond(200);
      const delivery = await reaches(there, id, { status: 'delivered', attempts: 1 });
      expect(delivery.attempts).toHaveLength(1);
      expect(witness.calls).toHaveLength(1);
    },
  );

  it.each(jumps)('by %i days: events that are published then go out at once', async (_days, ms) => {
    const { url } = await receiver();
    const there = await subscribe(workspace, url);
    time.set(ms);
    await reaches(there, (await deliver(there)).id, { status: 'delivered', attempts: 1 });
  });

  it.each(jumps)('by %i days: a webhook with a rate limit is still called', async (_days, ms) => {
    const witness = await receiver();
    await newWebhook(workspace, witness.url, { rate_limit: { per_second: 1 } });
    await publish(workspace);
    await until('the first call', () => witness.calls.length === 1);
    time.set(ms);
    await publish(workspace);
    await until('the second call', () => {
      time.advance(100);
      return witness.calls.length === 2;
    });
  });
});

// From here on, no webhook is called, so the number of senders does not matter.

describe('a clock that is set between two requests', () => {
  beforeEach(() => begin(0));

  it.each(JUMPS.filter(back))('by %i days: an Idempotency-Key still replays', async (_days, ms) => {
    const { first, second } = await publishTwice(() => time.set(ms));
    expect(second).toEqual(first);
  });

  it('forward by less than a day: an Idempotency-Key still replays; by more: it has expired', async () => {
    const near = await publishTwice(() => time.set(LIMITS.idempotencyWindowMs - 1_000));
    expect(near.second).toEqual(near.first);
    const far = await publishTwice(() => time.set(LIMITS.idempotencyWindowMs + 1_000));
    expect(far.second).not.toEqual(far.first);
  });

  let keys = 0;
  async function publishTwice(between: () => void) {
    const input = {
      params: { id: workspace.workspaceId },
      body: { type: 'push', payload: {} },
      headers: { 'Idempotency-Key': `key-${(keys += 1)}` },
    };
    const first = await workspace.api.call('events.publish', input);
    between();
    return { first, second: await workspace.api.call('events.publish', input) };
  }
});

describe('a clock that is wrong at a start', () => {
  beforeEach(async () => {
    await begin(0);
    // The owner is made at the time of the real clock.
    time = new TestClock();
  });

  /** A server on a data directory with an event and audit entries, which has been stopped. */
  async function stopped() {
    const data = await mkdtemp(join(tmpdir(), 'hubline-clock-'));
    onTestFinished(() => rm(data, { recursive: true }));
    const config = parseServerConfig(
      { data, port: 0, logLevel: 'silent', senders: 0, httpThread: 'off' },
      {},
    );
    const owner = await bootstrap(config, { email: 'owner@example.com', name: 'Acme', slug: 'acme' });
    const start = () =>
      startServer(config, { clock: time.clock, timer: time.timer, monotonic: time.monotonic });
    const there = ({ baseUrl }: RunningServer) => ({
      ...workspace,
      api: new Api(baseUrl, owner.api_key),
      workspaceId: owner.workspace_id ?? '',
    });
    const housekeeping = () =>
      until('housekeeping', async () => {
        const [job] = await listJobs(config, { kind: 'housekeeping' });
        return Date.parse(job?.due_at ?? '') > time.clock().getTime();
      });
    const remaining = async (server: RunningServer) => {
      const { api, workspaceId } = there(server);
      const params = { id: workspaceId };
      const events = (await api.call('events.list', { params })).data.length;
      return { events, audited: (await api.call('auditLog.list', { params })).data.length };
    };
    await using server = await start();
    await publish(there(server));
    return { start, housekeeping, remaining, before: await remaining(server) };
  }

  it.each([2028, 2035, 2099])('in %i: no event and no audit entry is removed', async (year) => {
    const { start, housekeeping, remaining, before } = await stopped();
    expect(before).toEqual({ events: 1, audited: 1 });
    const ms = Date.UTC(year, 11, 1) - time.clock().getTime();
    for (let again = 0; again < 2; again += 1) {
      time.set(ms);
      {
        await using wrong = await start();
        await housekeeping();
        expect(await remaining(wrong)).toEqual(before);
      }
      time.set(-ms);
      await using right = await start();
      expect(await remaining(right)).toEqual(before);
    }
  });

  it('is reported once, with the time by which old rows are removed', async () => {
    const data = await mkdtemp(join(tmpdir(), 'hubline-clock-'));
    onTestFinished(() => rm(data, { recursive: true }));
    const { store } = await openStorage(parseServerConfig({ data }, {}), time.clock());
    onTestFinished(() => store.close());
    const told: string[] = [];
    const warn = (_: object, message: string) => void told.push(message);
    const log = { debug: warn, info: warn, warn, error: warn };
    const retention = new RetentionClock(time.monotonic);
    const follow = () => retention.follow({ store, clock: time.clock, log });
    const today = (await follow())?.toISOString().slice(0, 10);
    time.set(400 * DAY_MS);
    for (let again = 0; again < 2; again += 1) await follow();
    expect(told).toEqual([
      expect.stringMatching(
        `^The clock is 400 days ahead .* Old data is removed as of ${today}, a date that`,
      ),
    ]);
  });

  it('is followed while the server runs: one that was off for four months removes old rows within days', async () => {
    const { start, housekeeping, remaining, before } = await stopped();
    time.set(120 * DAY_MS);
    await using server = await start();
    await housekeeping();
    expect(await remaining(server)).toEqual(before);
    for (let days = 0; days < 14; days += 1) {
      time.advance(DAY_MS);
      await housekeeping();
      expect((await remaining(server)).events).toBe(days < 12 ? 1 : 0);
    }
  });
});

it.each(JUMPS)(
  'a rate limit ends after its own minute, even if the clock is set by %i days',
  async (_days, ms) => {
    time = new TestClock(Date.UTC(2030, 0, 2));
    const limited = await startWorkspace({
      flags: { rateLimit: 5 },
      clock: time.clock,
      timer: time.timer,
      monotonic: time.monotonic,
    });
    onTestFinished(() => limited.stop());
    const ask = () => limited.api.send('workspaces.list');
    await until('the limit', async () => (await ask()).status === 429);
    time.set(ms);
    time.advance(LIMITS.windowMs);
    const response = await ask();
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('x-ratelimit-remaining'))).toBe(4);
  },
);
