import { describe, expect, it } from 'vitest';
import { everybodyKnows, join, type Joined, unique } from '../support/workspace.ts';
import { until } from '../support/until.ts';
import { useAutomations } from './use-automations.ts';

const hub = useAutomations();
const { call, callsTo, create, newestRun, here, pass, publish } = hub;

it('an automation shows the statuses of its last runs, newest first', async () => {
  const automationId = await create({
    trigger: { event: 'manual' },
    actions: [{ type: 'wait', seconds: 900 }],
  });
  const params = { id: hub.workspace.workspaceId, automationId };
  const { id: runId } = await hub.workspace.api.call('automations.run', { params, body: {} });
  await hub.workspace.api.call('automations.cancelRun', { params: { ...params, runId } });
  await hub.workspace.api.call('automations.run', { params, body: {} });
  await until('both runs', async () => {
    const { recent_runs: recent } = await hub.workspace.api.call('automations.get', { params });
    return recent.join() === 'waiting,cancelled';
  });
});

it('a change is audited, and a run that has begun keeps its actions', async () => {
  const type = unique('change');
  const [old, fresh] = [call(), call()];
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [{ type: 'wait', seconds: 60 }, old],
  });
  await publish(type);
  await newestRun(automationId, 'waiting');
  const params = { id: hub.workspace.workspaceId, automationId };
  await hub.workspace.api.call('automations.update', { params, body: { name: 'B', actions: [fresh] } });
  await pass(61_000);
  expect(await newestRun(automationId, 'succeeded')).toMatchObject({ automation_name: 'A' });
  expect([callsTo(old).length, callsTo(fresh).length]).toEqual([1, 0]);
  await hub.workspace.api.call('automations.delete', { params });
  await hub.workspace.api.refused('automations.get', 404, { params });
  const { data } = await hub.workspace.api.call('auditLog.list', {
    ...here(),
    query: { target: automationId },
  });
  expect(data.map(({ action }) => action)).toEqual([
    'automation.deleted',
    'automation.updated',
    'automation.created',
  ]);
});

describe('somebody who may no longer edit automations', () => {
  const at = (automationId: string) => ({ params: { id: hub.workspace.workspaceId, automationId } });
  const on = (type: string) => ({ event: 'event.created' as const, types: [type] });

  async function memberAutomation(member: Joined, type: string, actions: object[]): Promise<string> {
    const body = { name: 'Leak', trigger: on(type), actions } as never;
    return (await member.own.call('automations.create', { ...here(), body })).id;
  }

  const fates: [string, (userId: string) => Promise<unknown>][] = [
    [
      'was removed',
      (userId) =>
        hub.workspace.api.call('members.remove', { params: { id: hub.workspace.workspaceId, userId } }),
    ],
    [
      'became a viewer',
      (userId) =>
        hub.workspace.api.call('members.update', {
          params: { id: hub.workspace.workspaceId, userId },
          body: { role: 'viewer' },
        }),
    ],
  ];

  it.each(fates)(
    'no longer sends events to a URL through automations, until others enable them: one who %s',
    async (_, leave) => {
      const type = unique('deploy');
      const member = await join(hub.workspace, 'admin');
      const step = call({ payload: { all: '{{ event }}' } });
      const calling = await memberAutomation(member, type, [step]);
      const inside = await memberAutomation(member, type, [{ type: 'wait', seconds: 1 }]);
      const waiting = await memberAutomation(member, type, [{ type: 'wait', seconds: 3_600 }, step]);
      await publish(type);
      await newestRun(calling, 'succeeded');
      await newestRun(waiting, 'waiting');
      expect(callsTo(step)).toHaveLength(1);

      await leave(member.userId);
      await everybodyKnows();
      expect((await hub.workspace.api.call('automations.get', at(calling))).enabled).toBe(false);
      expect((await hub.workspace.api.call('automations.get', at(inside))).enabled).toBe(true);
      const entries = await hub.workspace.api.call('auditLog.list', {
        ...here(),
        query: { action: 'automation.disabled' },
      });
      expect(entries.data.map(({ targets }) => targets[0]?.id)).toEqual(
        expect.arrayContaining([calling, waiting]),
      );
      await publish(type);
      // The same holds for a run by hand, and for a run that has begun.
      await hub.workspace.api.call('automations.run', { ...at(calling), body: {} });
      expect((await newestRun(calling, 'failed')).steps[0]?.error).toContain(
        'may no longer edit automations',
      );
      await pass(3_600_000);
      expect((await newestRun(waiting, 'failed')).error).toContain('may no longer edit automations');
      expect(callsTo(step)).toHaveLength(1);

      await hub.workspace.api.call('automations.update', { ...at(calling), body: { enabled: true } });
      await publish(type);
      await newestRun(calling, 'succeeded');
      expect(callsTo(step)).toHaveLength(2);
    },
  );
});
