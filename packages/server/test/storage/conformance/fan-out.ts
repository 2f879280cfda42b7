import { beforeAll, expect, it } from 'vitest';
import type { Deps } from '../../../src/context.ts';
import { STATUS } from '../../../src/db/core/columns/codes.ts';
import { idBytes } from '../../../src/db/core/columns/columns.ts';
import type { Store } from '../../../src/db/core/store.ts';
import { deleteWebhook, insertWebhook, updateWebhook } from '../../../src/db/webhooks/webhooks.ts';
import type { JobRun } from '../../../src/jobs/job-kind.ts';
import { furtherDeliveries } from '../../../src/services/fan-out/further-deliveries.ts';
import { furtherDeliveriesJob } from '../../../src/services/fan-out/further-deliveries-job.ts';
import { fanOut } from '../../../src/services/fan-out/fan-out.ts';
import { workContext } from '../../../src/work-context.ts';
import { ids, newWorkspace, NOW, openMigrated, type TestStorage, webhookRow } from '../storage.ts';
import { idlePorts } from '../../idle-ports.ts';

const silent = () => {};

/** Tests the deliveries of an event with very many webhooks. */
export function testFanOut(create: () => Promise<TestStorage>): void {
  let store: Store;
  let deps: Deps;
  let earlierMs = 10;
  beforeAll(async () => {
    const opened = await openMigrated(create);
    store = opened.store;
    deps = {
      store,
      clock: () => new Date(NOW),
      ids,
      log: { debug: silent, info: silent, warn: silent, error: silent },
      ...idlePorts,
      jobs: { ...idlePorts.jobs, fairDueAt: (_kind, _workspaceId, at) => at - (earlierMs -= 1) },
    } as Partial<Deps> as Deps;
    return opened.close;
  });

  /** Counts the deliveries of each state. */
  async function deliveriesOf(eventId: string) {
    const rows = await store.read
      .selectFrom('deliveries')
      .select(['webhook_id', 'status'])
      .where('event_id', '=', idBytes(eventId))
      .execute();
    const held = rows.filter(({ status }) => status === STATUS.of.held).length;
    const webhooks = new Set(rows.map((row) => row.webhook_id.toString('hex')));
    return { all: rows.length, webhooks: webhooks.size, held };
  }

  const openJobs = () =>
    store.read
      .selectFrom('jobs')
      .selectAll()
      .where('kind', '=', furtherDeliveries.name)
      .orderBy('seq')
      .execute();

  it('is a small transaction, and jobs for the rest: each webhook that subscribed at the time gets one, once', async () => {
    const workspaceId = await newWorkspace(store);
    const webhooks = Array.from({ length: 3_200 }, () => webhookRow(workspaceId));
    await store.write(async (tx) => {
      for (const row of webhooks) await insertWebhook(tx, row);
    });
    const eventId = ids('event');
    const text = { type: 'push', source: 'github', summary: '{}', occurredAt: NOW, payload: '{}' };
    const event = { ...text, id: eventId, workspaceId, integrationId: null, provider: null };
    await store.write((tx) =>
      fanOut(tx, workContext(deps), {
        trigger: 'event.created',
        workspaceId,
        data: {},
        resourceIds: [],
        event,
        scope: () => expect.fail('No webhook has conditions.'),
      }),
    );
    expect(await deliveriesOf(eventId)).toEqual({ all: 2_000, webhooks: 2_000, held: 0 });

    const [deleted, disabled] = webhooks.slice(-2);
    if (!deleted || !disabled) throw new Error('There are no webhooks.');
    await store.write(async (tx) => {
      await deleteWebhook(tx, deleted);
      await updateWebhook(tx, disabled, { status: 'disabled' });
      await insertWebhook(tx, webhookRow(workspaceId));
    });
    const jobs = await openJobs();
    expect(jobs).toHaveLength(3);
    // Each has its own due time.
    expect(jobs.map((job) => job.due_at - job.created_at)).toEqual([-9, -8, -7]);
    for (const { seq, payload } of jobs) {
      let ownsJob = false;
      const run: JobRun = {
        id: '',
        attempt: 1,
        signal: new AbortController().signal,
        async finish(tx) {
          if (ownsJob) await tx.deleteFrom('jobs').where('seq', '=', seq).execute();
          return ownsJob;
        },
        putOff: () => expect.fail('The job is not put off.'),
      };
      const begin = () =>
        furtherDeliveriesJob.run(deps, furtherDeliveries.payload.parse(JSON.parse(payload)), run);
      // As if another process had the job by now, whose transaction stores the deliveries.
      await expect(begin()).rejects.toThrow('Another process');
      ownsJob = true;
      await begin();
    }
    expect(await openJobs()).toEqual([]);
    expect(await deliveriesOf(eventId)).toEqual({ all: 3_199, webhooks: 3_199, held: 1 });
  });
}
