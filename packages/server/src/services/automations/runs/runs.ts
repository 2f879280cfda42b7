import type { AutomationRun as RunSchema, EndpointInput } from '@hubline/contract';
import type { z } from 'zod';
import type { WorkspaceContext } from '../../../context.ts';
import { type AutomationRow, findAutomation, findVersion } from '../../../db/automations/automations.ts';
import {
  findRun,
  listRuns as listRunRows,
  listSteps,
  type NewRun,
  reopenRun,
  type RunRow,
  updateOpenRun,
} from '../../../db/automations/runs.ts';
import { isoTimeOrNull } from '../../../db/core/columns/columns.ts';
import type { Tx } from '../../../db/core/schema.ts';
import { isoTime } from '../../../domain/time.ts';
import { findEvent } from '../../../db/events/events.ts';
import { plainScope } from '../../../domain/conditions/scope.ts';
import { parseExact } from '../../../domain/json/numbers/exact-number.ts';
import { type Fault, notFound, unprocessable } from '../../../domain/faults/fault.ts';
import { audit } from '../../audit-log.ts';
import { scopeOf } from '../../events/event-scope.ts';
import { requireKnown } from '../../known-ids.ts';
import { page } from '../../page.ts';
import type { Action } from '../actions/action.ts';
import { found } from '../automations.ts';
import { fireCompleted, lockConcurrencyKey } from './run-end.ts';
import { continueRun, startRun } from '../triggers/start.ts';
import { requirePublishing } from '../validate.ts';

type Run = z.output<typeof RunSchema>;

const toRun = (row: NewRun, name: string): Run => ({
  id: row.id,
  automation_id: row.automation_id,
  automation_name: name,
  workspace_id: row.workspace_id,
  trigger: row.trigger,
  event_id: row.event_id,
  status: row.status,
  error: row.error,
  created_at: isoTime(row.created_at),
  started_at: isoTimeOrNull(row.started_at),
  resume_at: isoTimeOrNull(row.resume_at),
  completed_at: isoTimeOrNull(row.completed_at),
  duration_ms:
    row.started_at === null || row.completed_at === null
      ? null
      : Math.max(0, row.completed_at - row.started_at),
});

/** Starts a run by hand. */
export async function run(context: WorkspaceContext, { params, body }: EndpointInput<'automations.run'>) {
  const { workspaceId } = context.access;
  const event =
    body.event_id === undefined ? null : await findEvent(context.store.read, workspaceId, body.event_id);
  if (event === undefined) throw notFound('event', 'event_id');
  const scope = event ? await scopeOf(context, event) : plainScope('manual', {});
  return context.write(async (tx) => {
    const automation = found(await findAutomation(tx, workspaceId, params.automationId));
    requirePublishing(context, JSON.parse(automation.actions) as Action[]);
    const started = await startRun(tx, context, {
      automation,
      trigger: 'manual',
      onceKey: null,
      eventId: event?.id ?? null,
      data: null,
      scope,
    });
    if (!started) throw new Error('A run that is started by hand has no key and cannot be a duplicate.');
    await audit(tx, context, {
      ...target(automation),
      action: 'automation.run',
      metadata: { run_id: started.id },
    });
    return toRun(started, automation.name);
  });
}

export async function listRuns(
  context: WorkspaceContext,
  { params, query }: EndpointInput<'automations.listRuns'>,
) {
  const { read } = context.store;
  const automation = await ownAutomation(context, params);
  return page(context, query, {
    async rows(request) {
      const { id: automationId, workspace_id: workspaceId } = automation;
      const filter = {
        workspaceId,
        automationId,
        status: query.status,
        eventId: query.event_id,
        since: query.since === undefined ? undefined : Date.parse(query.since),
      };
      const { rows, resume } = await listRunRows(read, filter, request);
      if (rows.length === 0)
        await requireKnown(read, [context.access.workspaceId], { event_id: query.event_id });
      const named = rows.map(async (row) => ({ row, name: await nameOf(context, row) }));
      return { rows: await Promise.all(named), resume };
    },
    position: ({ row }) => row.seq,
    item: ({ row, name }) => toRun(row, name),
  });
}

export async function getRun(context: WorkspaceContext, { params }: EndpointInput<'automations.getRun'>) {
  const row = await ownRun(context, params);
  const version = await findVersion(context.store.read, row);
  const actions = JSON.parse(version?.actions ?? '[]') as Action[];
  const steps = await listSteps(context.store.read, row);
  return {
    ...toRun(row, version?.name ?? ''),
    steps: steps.map((step) => ({
      action_id: actions[step.position]?.id ?? `a${step.position + 1}`,
      type: actions[step.position]?.type ?? '',
      status: step.status,
      attempt: step.attempt,
      started_at: isoTimeOrNull(step.started_at),
      completed_at: isoTimeOrNull(step.completed_at),
      request: step.request === null ? null : (parseExact(step.request) as Record<string, unknown>),
      response: step.response === null ? null : (parseExact(step.response) as Record<string, unknown>),
      error: step.error,
    })),
  };
}

export async function retryRun(context: WorkspaceContext, { params }: EndpointInput<'automations.retryRun'>) {
  const row = await ownRun(context, params);
  const automation = await ownAutomation(context, params);
  const version = await findVersion(context.store.read, row);
  const name = version?.name ?? '';
  requirePublishing(context, JSON.parse(version?.actions ?? '[]') as Action[]);
  return context.write(async (tx) => {
    if (!(await reopenRun(tx, row)))
      throw await refusalOf(tx, row, 'names a run that has neither failed nor been cancelled');
    await continueRun(tx, context, row);
    await audit(tx, context, {
      ...target(automation),
      action: 'automation.run_retried',
      metadata: { run_id: row.id },
    });
    const reopened = { status: 'queued' as const, error: null, completed_at: null, resume_at: null };
    return toRun({ ...row, ...reopened }, name);
  });
}

export async function cancelRun(
  context: WorkspaceContext,
  { params }: EndpointInput<'automations.cancelRun'>,
) {
  const row = await ownRun(context, params);
  const automation = await ownAutomation(context, params);
  const name = await nameOf(context, row);
  return context.write(async (tx) => {
    await lockConcurrencyKey(tx, row);
    const cancelled = { status: 'cancelled' as const, completed_at: context.now.getTime(), resume_at: null };
    if (!(await updateOpenRun(tx, row, cancelled)))
      throw await refusalOf(tx, row, 'names a run that has ended');
    await fireCompleted(tx, context, { run: row, name, status: 'cancelled' });
    await audit(tx, context, {
      ...target(automation),
      action: 'automation.run_cancelled',
      metadata: { run_id: row.id },
    });
    return toRun({ ...row, ...cancelled }, name);
  });
}

async function ownAutomation(
  context: WorkspaceContext,
  { automationId }: { automationId: string },
): Promise<AutomationRow> {
  return found(await findAutomation(context.store.read, context.access.workspaceId, automationId));
}

async function ownRun(
  context: WorkspaceContext,
  { automationId, runId }: { automationId: string; runId: string },
): Promise<RunRow> {
  const row = await findRun(context.store.read, context.access.workspaceId, runId);
  if (row?.automation_id !== automationId) throw notFound('run');
  return row;
}

/** The refusal to change a run, which may have been removed in the meantime. */
const refusalOf = async (tx: Tx, { workspace_id, id }: RunRow, issue: string): Promise<Fault> =>
  (await findRun(tx, workspace_id, id)) ? unprocessable('runId', issue) : notFound('run');

const nameOf = async ({ store }: WorkspaceContext, row: RunRow): Promise<string> =>
  (await findVersion(store.read, row))?.name ?? '';

const target = ({ workspace_id, id, name }: AutomationRow) => ({
  workspaceId: workspace_id,
  target: { type: 'automation', id, name },
});
