import { beforeAll, expect, it } from 'vitest';
import { countInUnit, type Store } from '../../../src/db/core/store.ts';
import { writeMeta } from '../../../src/db/meta.ts';
import type { CountedAttempt } from '../../../src/domain/stats/tally.ts';
import { StorageUnavailable } from '../../../src/domain/faults/storage-unavailable.ts';
import { StatsCounter } from '../../../src/services/workspaces/stats-counter.ts';
import { addUpStats } from '../../../src/services/workspaces/add-up-stats.ts';
import type { WorkContext } from '../../../src/context.ts';
import { claimJobs, removeIdleJob, returnJob } from '../../../src/db/jobs.ts';
import { mergeTallies, newestTally, takeTallies } from '../../../src/db/workspaces/stats-tallies.ts';
import { ids, NOW, openMigrated, type TestStorage } from '../storage.ts';

const RESOLUTIONS = 3;
const silent = () => {};

/** Tests that the statistics count what was committed, once. */
export function testStatistics(create: () => Promise<TestStorage>): void {
  let store: Store;
  beforeAll(async () => {
    const opened = await openMigrated(create);
    store = opened.store;
    return opened.close;
  });

  const warnings: string[] = [];
  const log = {
    debug: silent,
    info: silent,
    warn: (_: object, text: string) => void warnings.push(text),
    error: silent,
  };
  const addUp = (at: Pick<Store, 'write'> = store) => addUpStats({ store: { ...store, ...at }, log });
  const event = (workspaceId: string) => ({ workspaceId, source: 'api', at: 0 });
  const attempt = (workspaceId: string, webhookId: string): CountedAttempt => ({
    workspaceId,
    webhookId,
    at: 0,
    ok: true,
    startedAt: 0,
    durationMs: 5,
    responseStatus: 200,
    errorKind: null,
    message: null,
    ended: 'delivered',
  });
  const rowsOf = (workspaceId: string) =>
    store.read.selectFrom('workspace_stats').selectAll().where('workspace_id', '=', workspaceId).execute();
  const eventsOf = async (workspaceId: string) => (await rowsOf(workspaceId)).map(({ events }) => events);
  const waiting = async () => (await store.read.selectFrom('stats_tallies').selectAll().execute()).length;

  it('count a unit that is committed, and none that is rolled back, early or late', async () => {
    const workspaceId = ids('workspace');
    const units = Array.from({ length: 40 }, (_, index) =>
      store.write(
        async (tx) => {
          countInUnit([event(workspaceId)]);
          if (index % 4 === 1) throw new Error('early');
          await writeMeta(tx, `counted ${index}`, 'a');
          if (index % 4 === 2) throw new Error('late');
        },
        { addsTo: workspaceId },
      ),
    );
    const ended = await Promise.allSettled(units);
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    await addUp();
    expect(await eventsOf(workspaceId)).toEqual(Array(RESOLUTIONS).fill(20));
    expect(await waiting()).toBe(0);
  });

  it('count nothing outside a unit, which a crash would lose', () => {
    expect(() => countInUnit([event('ws_1')])).toThrow('outside a unit');
  });

  it('need one request for the job while it waits, and now and then one while it runs', async () => {
    const now = Date.parse(NOW);
    let elapsed = 0;
    /** Counts with a counter; returns whether that asked for the job. */
    const asks = async (counter: StatsCounter) => {
      const effects: (() => unknown)[] = [];
      const context = {
        now: new Date(now),
        clock: () => new Date(now),
        afterCommit: (_: string, effect: () => unknown) => void effects.push(effect),
      } as unknown as WorkContext;
      const asked = await store.write(async (tx) => {
        const asking = counter.count(tx, context, [event(ids('workspace'))]);
        await asking;
        return asking instanceof Promise;
      });
      for (const effect of effects) effect();
      return asked;
    };
    const [first, second] = [new StatsCounter(() => elapsed), new StatsCounter(() => elapsed)];
    const asked = async (ms: number) => {
      elapsed += ms;
      return [await asks(first), await asks(second)];
    };
    expect(await asked(0)).toEqual([true, true]);
    expect(await asked(1_000)).toEqual([false, false]);

    const claim = { kind: 'statistics', owner: 'me', now: now + 2_000, leaseUntil: now + 60_000, limit: 1 };
    const [job] = await store.write((tx) => claimJobs(tx, claim));
    if (!job) throw new Error('no job is due');
    expect(await asked(1_000)).toEqual([true, true]);
    expect(await asked(50)).toEqual([false, false]);
    expect(await asked(50)).toEqual([true, true]);

    const again = { due_at: now + 2_000, attempts: 0, last_error: null, failed_at: null };
    await store.write((tx) => returnJob(tx, job, again));
    expect(await asked(100)).toEqual([true, true]);
    expect(await asked(1_900)).toEqual([false, false]);
    expect(await asked(100)).toEqual([true, true]);
    expect(await store.write((tx) => removeIdleJob(tx, { kind: 'statistics', key: 'all' }))).toBe(true);
    await addUp();
  });

  it('are added up once, however many do it at the same time', async () => {
    const workspaceId = ids('workspace');
    for (let index = 0; index < 20; index += 1)
      await store.write(() => countInUnit([event(workspaceId), event(workspaceId)]));
    await Promise.all([addUp(), addUp(), addUp()]);
    expect(await eventsOf(workspaceId)).toEqual(Array(RESOLUTIONS).fill(40));
  });

  it('add up a webhook once for all transactions that have counted it', async () => {
    const workspaceId = ids('workspace');
    const webhookIds = Array.from({ length: 60 }, () => ids('webhook'));
    for (let index = 0; index < 120; index += 1)
      await store.write(() => countInUnit(webhookIds.map((webhookId) => attempt(workspaceId, webhookId))));
    let steps = 0;
    const write: Store['write'] = (unit) => {
      steps += 1;
      return store.write(unit);
    };
    await addUp({ write });
    expect(await waiting()).toBe(0);
    const counts = (await rowsOf(workspaceId)).map(({ attempts_succeeded }) => attempts_succeeded);
    expect(counts.toSorted((a, b) => a - b)).toEqual([
      ...Array(RESOLUTIONS * webhookIds.length).fill(120),
      ...Array(RESOLUTIONS).fill(120 * webhookIds.length),
    ]);
    // 240 rows are merged a hundred at a time, and each hundred leaves two. A step adds up one or two of these.
    expect(steps).toBeLessThanOrEqual(3 + 6);
  });

  it('of many webhooks are sorted before they are added up, so that a step changes few pages', async () => {
    const workspaceId = ids('workspace');
    const webhookIds = Array.from({ length: 120 }, () => ids('webhook'));
    const mixed = webhookIds.map((_, index) => webhookIds[(index * 77) % webhookIds.length] ?? '');
    for (let from = 0; from < mixed.length; from += 40)
      await store.write(() =>
        countInUnit(mixed.slice(from, from + 40).map((webhookId) => attempt(workspaceId, webhookId))),
      );
    const until = await newestTally(store.read);
    expect(await store.write((tx) => mergeTallies(tx, { after: 0, until }))).toBe(until);
    const taken: string[][] = [];
    for (let isDone = false; !isDone;)
      isDone = await store.write(async (tx) => {
        const { tally, isLast } = await takeTallies(tx, until);
        taken.push(tally.parts.map(({ webhookId }) => webhookId));
        return isLast;
      });
    const sorted = webhookIds.toSorted();
    expect(taken).toEqual([sorted.slice(0, 50), sorted.slice(50, 100), sorted.slice(100)]);
  });

  it('lose nothing, and count nothing twice, when a step of several cannot be stored', async () => {
    const workspaceId = ids('workspace');
    const webhookIds = Array.from({ length: 150 }, () => ids('webhook'));
    const countAll = () =>
      store.write(() => countInUnit(webhookIds.map((webhookId) => attempt(workspaceId, webhookId))));
    await countAll();
    let writes = 0;
    const write: Store['write'] = (unit) => {
      writes += 1;
      if (writes === 2) throw new StorageUnavailable({ cause: new Error('a test') });
      return store.write(unit);
    };
    await addUp({ write });
    expect(warnings).toEqual(['statistics could not be added up; the counts are kept for the next attempt']);
    expect(await waiting()).toBeGreaterThan(0);

    await countAll();
    await addUp();
    const rows = await rowsOf(workspaceId);
    expect(rows).toHaveLength(RESOLUTIONS * (webhookIds.length + 1));
    for (const { webhook_id: id, attempts_succeeded, deliveries_delivered, latency_4 } of rows) {
      const twice = 2 * (id === '' ? webhookIds.length : 1);
      expect({ id, attempts_succeeded, deliveries_delivered, latency_4 }).toEqual({
        id,
        attempts_succeeded: twice,
        deliveries_delivered: twice,
        latency_4: twice,
      });
    }
  });
}
