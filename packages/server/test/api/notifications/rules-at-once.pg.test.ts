import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Deps } from '../../../src/context.ts';
import { lockWorkspace } from '../../../src/db/workspaces/workspaces.ts';
import type { JobRun } from '../../../src/jobs/job-kind.ts';
import { matchRulesJob } from '../../../src/services/notifications/rules/match-rules-job.ts';
import { until } from '../support/until.ts';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';

let deps: Deps;
let root: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  root = await startWorkspace({
    companion(own) {
      deps = own;
      return { stop: () => Promise.resolve() };
    },
  });
});
afterAll(() => root.stop());

const event = { type: 'alert', source: 'ci', payload: {} };
const newRule = ({ api, workspaceId: id, userId }: TestWorkspace, settings: object = {}) =>
  api.call('notificationRules.create', {
    params: { id },
    body: {
      name: 'Alerts',
      notify_on: ['event.created'],
      destinations: [{ kind: 'in_app', user_ids: [userId] }],
      ...settings,
    },
  });
const statuses = async ({ api, workspaceId: id }: TestWorkspace) => {
  const { data } = await api.call('notificationRules.log', { params: { id }, query: { limit: '100' } });
  return data.map(({ status }) => status).toSorted();
};

it('a rule is applied while another unit has the lock of the workspace, as publishes do', async () => {
  const workspace = await newWorkspace(root);
  const { api, workspaceId } = workspace;
  const { event_id: id } = await api.call('events.publish', { params: { id: workspaceId }, body: event });
  await newRule(workspace);
  const { promise: locked, resolve: hasLock } = Promise.withResolvers<void>();
  const { promise: end, resolve: letGo } = Promise.withResolvers<void>();
  onTestFinished(() => letGo());
  const holder = deps.store.write(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    hasLock();
    await end;
  });
  await locked;
  const { type, source } = event;
  const occurrence = { workspaceId, id, fact: { trigger: 'event.created', type, source }, data: {} } as const;
  await matchRulesJob.run(deps, occurrence, { signal: new AbortController().signal } as JobRun);
  expect(await statuses(workspace)).toEqual(['sent']);
  letGo();
  await holder;
});

it('a rule that suppresses duplicates sends one message for events of the same moment', async () => {
  const workspace = await newWorkspace(root);
  await newRule(workspace, { dedupe: { key: '{{ event.type }}', window_seconds: 600 } });
  const events = Array.from({ length: 20 }, () => event);
  await workspace.api.call('events.publishBatch', {
    params: { id: workspace.workspaceId },
    body: { events },
  });
  await until('all events are judged', async () => (await statuses(workspace)).length === 20);
  expect(await statuses(workspace)).toEqual(['sent', ...events.slice(1).map(() => 'suppressed')]);
});
