import { describe, expect, it, onTestFinished } from 'vitest';
import { findAutomation, updateAutomation } from '../../../src/db/automations/automations.ts';
import { findRun, reopenRun } from '../../../src/db/automations/runs.ts';
import type { Tx } from '../../../src/db/core/schema.ts';
import { lockWorkspace } from '../../../src/db/workspaces/workspaces.ts';
import { continueRun } from '../../../src/services/automations/triggers/start.ts';
import type { WorkContext } from '../../../src/context.ts';
import { parseServerConfig } from '../../../src/config/config.ts';
import { listJobs } from '../../../src/start/operator-jobs.ts';
import { unique } from '../support/workspace.ts';
import { changing } from '../../peers/changing.ts';
import { startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';
import { useAutomations } from './use-automations.ts';

const hub = useAutomations();
it('an automation that is disabled at the time of its schedule starts no run, then and later', async () => {
  const automationId = await hub.create({
    trigger: { event: 'schedule', cron: '0 * * * *' },
    actions: [{ type: 'wait', seconds: 1 }],
  });
  const disabling = await changing(hub.workspace, async (tx) => {
    const { workspaceId } = hub.workspace;
    await lockWorkspace(tx, workspaceId);
    const row = await findAutomation(tx, workspaceId, automationId);
    if (row) await updateAutomation(tx, row, { enabled: 0, next_run_at: null });
  });
  await hub.pass(3_600_000);
  await until('the schedule', () => disabling.isWaitedFor());
  await disabling.commit();
  await hub.pass(3_600_000);
  const params = { id: hub.workspace.workspaceId, automationId };
  const shown = await hub.workspace.api.call('automations.get', { params });
  expect(shown).toMatchObject({ enabled: false, next_run_at: null });
  expect(await hub.runsOf(automationId)).toEqual([]);
});

it('a run that was cancelled and is retried while its job ends goes on', async () => {
  const { promise: response, resolve: respond } = Promise.withResolvers<{ status: number }>();
  let calls = 0;
  const receiver = await startReceiver(() => {
    calls += 1;
    return response;
  });
  onTestFinished(() => receiver.stop());
  const automationId = await hub.create({
    trigger: { event: 'event.created', types: ['retried'] },
    actions: [
      { type: 'call_webhook', url: receiver.url },
      { type: 'wait', seconds: 1 },
    ],
  });
  await hub.publish('retried');
  await until('the call', () => calls === 1);
  const { id: runId } = await hub.newestRun(automationId, 'running');
  const { workspaceId } = hub.workspace;
  const params = { id: workspaceId, automationId, runId };
  await hub.workspace.api.call('automations.cancelRun', { params });
  const retrying = await changing(hub.workspace, async (tx) => {
    const run = await findRun(tx, workspaceId, runId);
    if (!run) throw new Error('The run is gone.');
    await reopenRun(tx, run);
    await continueRun(tx, { now: new Date(hub.now()) } as WorkContext, run);
  });
  respond({ status: 200 });
  await until('the end of the job', retrying.isWaitedFor);
  await retrying.commit();
  await hub.newestRun(automationId, 'waiting');
});

describe('a unit that changes a run of a concurrency key waits without its rows while the workspace is locked:', () => {
  /** Locks the workspace in another process, and then a row, once the unit that `act` begins waits for the workspace. */
  async function lockingFirst(act: () => unknown, row: (tx: Tx) => Promise<unknown[]>): Promise<void> {
    const holding = await changing(hub.workspace, async (tx) => lockWorkspace(tx, hub.workspace.workspaceId));
    await act();
    await until('the unit to wait', holding.isWaitedFor);
    await holding.commit(async (tx) => expect(await row(tx)).toHaveLength(1));
  }

  const rowOf = (id: string) => (tx: Tx) =>
    tx.selectFrom('automation_runs').select('seq').where('id', '=', id).forUpdate().skipLocked().execute();
  const jobOf = (runId: string) => (tx: Tx) =>
    tx.selectFrom('jobs').select('seq').where('key', '=', runId).forUpdate().skipLocked().execute();

  /** A run that waits for its receiver, and one that waits for its turn. */
  async function twoRuns() {
    const { promise: response, resolve: respond } = Promise.withResolvers<{ status: number }>();
    const receiver = await startReceiver(() => response);
    onTestFinished(() => receiver.stop());
    const type = unique('turn');
    const automationId = await hub.create({
      trigger: { event: 'event.created', types: [type] },
      concurrency_key: 'one',
      actions: [{ type: 'call_webhook', url: receiver.url }],
    });
    await hub.publish(type);
    const { id: first } = await hub.newestRun(automationId, 'running');
    await hub.publish(type);
    const { id: second } = await hub.newestRun(automationId, 'queued');
    const config = parseServerConfig(hub.workspace.server.storage, {});
    await until('the second to wait', async () =>
      (await listJobs(config, { state: 'scheduled' })).some(({ key }) => key === second),
    );
    return { automationId, first, second, respond };
  }

  it('its cancellation', async () => {
    const { automationId, second, respond } = await twoRuns();
    const params = { id: hub.workspace.workspaceId, automationId, runId: second };
    let cancelled: Promise<unknown> | undefined;
    const cancel = () => void (cancelled = hub.workspace.api.call('automations.cancelRun', { params }));
    await lockingFirst(cancel, rowOf(second));
    expect(await cancelled).toMatchObject({ status: 'cancelled' });
    respond({ status: 200 });
  });

  it('its end', async () => {
    const { automationId, first, second, respond } = await twoRuns();
    await lockingFirst(() => respond({ status: 200 }), rowOf(first));
    await hub.newestRun(automationId, 'succeeded');
    expect(await hub.runOf(automationId, second)).toMatchObject({ status: 'succeeded' });
  });

  it('the failure of its job', async () => {
    const type = unique('spoiled');
    const automationId = await hub.create({
      trigger: { event: 'event.created', types: [type] },
      concurrency_key: 'one',
      actions: [{ type: 'wait', seconds: 60 }],
    });
    await hub.publish(type);
    const { id } = await hub.newestRun(automationId, 'waiting');
    const spoiling = await changing(hub.workspace, async (tx) => {
      await tx.updateTable('automation_runs').set({ data: '{' }).where('id', '=', id).execute();
      await tx.updateTable('jobs').set({ attempts: 9 }).where('key', '=', id).execute();
    });
    await spoiling.commit();
    await lockingFirst(() => hub.pass(61_000), jobOf(id));
    await hub.newestRun(automationId, 'failed');
  });
});

it('an event that comes while an automation is deleted is stored', async () => {
  const { workspaceId } = hub.workspace;
  const automationId = await hub.create({
    trigger: { event: 'event.created', types: ['late'] },
    actions: [{ type: 'wait', seconds: 1 }],
  });
  // Both refer to the workspace, and wait: the deletion with its entry in the audit log, and the event.
  const holding = await changing(hub.workspace, (tx) =>
    tx.selectFrom('workspaces').select('id').where('id', '=', workspaceId).forUpdate().execute(),
  );
  const deleted = hub.workspace.api.call('automations.delete', { params: { id: workspaceId, automationId } });
  await until('the deletion', holding.isWaitedFor);
  const published = hub.publish('late');
  await until('the event', () => holding.isWaitedFor(2));
  await holding.commit();
  expect((await published).type).toBe('late');
  await deleted;
});
