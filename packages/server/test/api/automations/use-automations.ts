import { afterAll, beforeAll } from 'vitest';
import { parseServerConfig } from '../../../src/config/config.ts';
import { listJobs } from '../../../src/start/operator-jobs.ts';
import { type TestWorkspace, startWorkspace, unique } from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

/** Waits until no job is running. A run can already be shown as waiting before its job has stored the time of its next step. */
export const atRest = ({ server: { storage } }: TestWorkspace): Promise<unknown> =>
  until('every job to rest', async () => {
    const running = await listJobs(parseServerConfig(storage, {}), { state: 'running' });
    return running.length === 0;
  });

/**
 * Gives the tests of one file a server whose clock `pass` moves ahead, and a receiver for the calls of its automations.
 */
export function useAutomations() {
  let workspace: TestWorkspace & { stop(): Promise<void> };
  let receiver: Receiver;
  /** The statuses of the paths that respond with something other than 200. */
  const statuses = new Map<string, number>();
  let ahead = 0;
  const timers = new Set<() => void>();
  const now = () => Date.now() + ahead;

  beforeAll(async () => {
    receiver = await startReceiver(({ url }) => ({
      status: statuses.get(url) ?? 200,
      ...(url.includes('long') && { text: 'x'.repeat(2_000_000) }),
    }));
    workspace = await startWorkspace({
      clock: () => new Date(now()),
      timer: (run, ms) => {
        // Short timers run by themselves; longer ones wait for `pass`.
        if (ms <= 1_000) {
          const timeout = setTimeout(run, ms);
          return () => clearTimeout(timeout);
        }
        timers.add(run);
        return () => void timers.delete(run);
      },
    });
  });
  afterAll(async () => {
    await workspace.stop();
    await receiver.stop();
  });

  const here = () => ({ params: { id: workspace.workspaceId } });

  const runsOf = async (automationId: string, query: Record<string, string> = {}) => {
    const params = { id: workspace.workspaceId, automationId };
    return (await workspace.api.call('automations.listRuns', { params, query })).data;
  };

  const runOf = (automationId: string, runId: string) =>
    workspace.api.call('automations.getRun', { params: { id: workspace.workspaceId, automationId, runId } });

  return {
    get workspace() {
      return workspace;
    },
    get receiver() {
      return receiver;
    },
    here,
    runsOf,
    runOf,
    now,
    /** Moves the clock ahead, in milliseconds, once every job has stored its next time. */
    async pass(ms: number): Promise<void> {
      await atRest(workspace);
      ahead += ms;
      const due = [...timers];
      timers.clear();
      for (const run of due) run();
    },
    /** An action that calls its own URL. */
    call: (more: object = {}) => ({
      type: 'call_webhook',
      url: `${receiver.url}/${unique('step')}`,
      ...more,
    }),
    /** Sets the status with which the URL of a step responds. */
    setStatus: (step: { url: string }, status: number) => statuses.set(new URL(step.url).pathname, status),
    callsTo: (step: { url: string }) => receiver.calls.filter(({ url }) => step.url.endsWith(url)),
    async create(body: object): Promise<string> {
      const { id } = await workspace.api.call('automations.create', {
        ...here(),
        body: { name: 'A', trigger: { event: 'event.created', types: [unique('never')] }, ...body },
      });
      return id;
    },
    publish: (type: string, payload: object = {}) =>
      workspace.api.call('events.publish', { ...here(), body: { type, payload } }),
    /** Waits until the newest run has this status. */
    async newestRun(automationId: string, wanted: string) {
      const found = await until(`a run that is ${wanted}`, async () => {
        const [run] = await runsOf(automationId);
        return run?.status === wanted && run;
      });
      return runOf(automationId, found.id);
    },
  };
}
