import { expect, it, onTestFinished } from 'vitest';
import { parseServerConfig } from '../../../src/config/config.ts';
import { putStep } from '../../../src/db/automations/runs.ts';
import { openStorage } from '../../../src/start/storage/open-storage.ts';
import { startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';
import { useAutomations } from './use-automations.ts';

const hub = useAutomations();

it('a process that has lost a run to another process performs no further step of it', async () => {
  const calls: string[] = [];
  let isTaken = false;
  // While the first step is under way, another process takes the run over, stores that step, and returns the job.
  const takeOver = async () => {
    const { store } = await openStorage(parseServerConfig(hub.workspace.server.storage, {}), new Date());
    await store.write(async (tx) => {
      const run = await tx.selectFrom('automation_runs').select('seq').executeTakeFirstOrThrow();
      const times = { started_at: hub.now(), due_at: null, completed_at: hub.now() };
      const texts = { request: null, response: null, output: '{}', error: null };
      await putStep(tx, { run: run.seq, position: 0, status: 'succeeded', attempt: 1, ...times, ...texts });
      await tx.updateTable('automation_runs').set({ status: 'running', started_at: hub.now() }).execute();
      await tx
        .updateTable('jobs')
        .set({ lease_token: 7, lease_owner: null, due_at: hub.now() + 60_000 })
        .where('kind', '=', 'automation_run')
        .execute();
    });
    await store.close();
    isTaken = true;
  };
  const receiver = await startReceiver(async ({ url }) => {
    calls.push(url);
    if (url === '/first') await takeOver();
    return { status: 200 };
  });
  onTestFinished(() => receiver.stop());
  const step = (name: string) => ({ type: 'call_webhook', url: `${receiver.url}/${name}` });
  const automationId = await hub.create({
    trigger: { event: 'event.created', types: ['deploy'] },
    actions: [step('first'), step('second')],
  });
  await hub.publish('deploy');
  await until('the other process', () => isTaken);
  await hub.pass(61_000);
  await hub.newestRun(automationId, 'succeeded');
  expect(calls).toEqual(['/first', '/second']);
});
