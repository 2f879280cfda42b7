import { type Automation as Schema, type EndpointInput, LIMITS } from '@hubline/contract';
import type { z } from 'zod';
import type { WorkspaceContext } from '../../context.ts';
import {
  type AutomationRow,
  countAutomations,
  deleteAutomation,
  findAutomation,
  insertAutomation,
  insertVersion,
  listAutomations,
  updateAutomation,
  versionId,
} from '../../db/automations/automations.ts';
import { type RecentRun, recentRuns } from '../../db/automations/runs.ts';
import { isoTimeOrNull } from '../../db/core/columns/columns.ts';
import type { Tx } from '../../db/core/schema.ts';
import { lockWorkspace } from '../../db/workspaces/workspaces.ts';
import type { Draft } from '../../domain/draft.ts';
import { type Fault, notFound, unprocessable } from '../../domain/faults/fault.ts';
import { openIfReadable } from '../../secrets/vault.ts';
import { audit, differences } from '../audit-log.ts';
import { page } from '../page.ts';
import { enqueueSchedule } from './triggers/automation-schedule-job.ts';
import { nextRunAt } from './triggers/schedule.ts';
import { automationSecretContext } from './secret.ts';
import {
  type AutomationDefinition,
  definitionFaults,
  formFaults,
  requirePublishing,
  requireRunnable,
  withIds,
} from './validate.ts';

type Automation = z.output<typeof Schema>;

/** An automation as the API shows it: never with its secret. */
function toAutomation(row: AutomationRow, runs: readonly RecentRun[]): Automation {
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    name: row.name,
    description: row.description,
    enabled: row.enabled === 1,
    ...definitionOf(row),
    throttle: row.throttle === null ? null : JSON.parse(row.throttle),
    signed: row.secret !== null,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    last_run_at: isoTimeOrNull(runs[0]?.created_at ?? null),
    recent_runs: runs.map(({ status }) => status),
    next_run_at: row.next_run_at,
  };
}

const definitionOf = (row: AutomationRow): Pick<Automation, keyof AutomationDefinition> => ({
  trigger: JSON.parse(row.trigger),
  conditions: row.conditions === null ? null : JSON.parse(row.conditions),
  actions: JSON.parse(row.actions),
  concurrency_key: row.concurrency_key,
});

export async function list(context: WorkspaceContext, { query }: EndpointInput<'automations.list'>) {
  const { read } = context.store;
  return page(context, query, {
    async rows(request) {
      const rows = await listAutomations(read, context.access.workspaceId, request);
      return Promise.all(rows.map(async (row) => ({ row, runs: await recentRuns(read, row) })));
    },
    position: ({ row }) => row.id,
    item: ({ row, runs }) => toAutomation(row, runs),
    rowBytes: LIMITS.actionsBytes,
  });
}

export async function get(context: WorkspaceContext, { params }: EndpointInput<'automations.get'>) {
  const { read } = context.store;
  const row = found(await findAutomation(read, context.access.workspaceId, params.automationId));
  return toAutomation(row, await recentRuns(read, row));
}

/** Finds the faults in the sound parts of a body that its schema has refused. */
export const check = (
  context: WorkspaceContext,
  sound: Draft<EndpointInput<'automations.update'>['body']>,
): Promise<Fault[]> => definitionFaults(context, sound);

/** The part of that check that needs no database. */
export const checkForm = (sound: Draft<EndpointInput<'automations.update'>['body']>): Fault[] =>
  formFaults(sound);

export async function create(context: WorkspaceContext, { body }: EndpointInput<'automations.create'>) {
  const definition: AutomationDefinition = {
    trigger: body.trigger,
    conditions: body.conditions ?? null,
    actions: withIds(body.actions),
    concurrency_key: body.concurrency_key ?? null,
  };
  await requireRunnable(context, definition);
  const isEnabled = body.enabled ?? true;
  if (isEnabled) requirePublishing(context, definition.actions);
  const { workspaceId } = context.access;
  return context.write(async (tx) => {
    const id = context.ids('automation');
    const now = context.now.toISOString();
    const row: AutomationRow = {
      id,
      workspace_id: workspaceId,
      name: body.name,
      description: body.description ?? null,
      enabled: isEnabled ? 1 : 0,
      version: 1,
      ...columnsOf(definition),
      throttle: jsonOrNull(body.throttle),
      secret: sealed(context, id, body.secret),
      next_run_at: isEnabled ? nextRunAt(body.trigger, context.now) : null,
      responsible_user_id: context.actor.userId,
      created_by: context.actor.userId,
      created_at: now,
      updated_at: now,
    };
    await lockWorkspace(tx, workspaceId);
    if ((await countAutomations(tx, workspaceId)) >= LIMITS.automationsMax)
      throw unprocessable(
        'id',
        `names a workspace with ${LIMITS.automationsMax} automations; delete one first`,
      );
    await insertAutomation(tx, row);
    await addVersion(tx, row);
    await enqueueSchedule(tx, context, row);
    await audit(tx, context, { ...target(row), action: 'automation.created' });
    return toAutomation(row, []);
  });
}

export async function update(
  context: WorkspaceContext,
  { params, body }: EndpointInput<'automations.update'>,
) {
  const { workspaceId } = context.access;
  const known = found(await findAutomation(context.store.read, workspaceId, params.automationId));
  const wanted = changedDefinition(known, body);
  // An automation with a deleted integration can still be renamed and disabled.
  const isSame = isStored(known, columnsOf(wanted)) && !(body.enabled === true && known.enabled === 0);
  if (!isSame) await requireRunnable(context, wanted);
  return context.write(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const before = found(await findAutomation(tx, workspaceId, params.automationId));
    const definition = changedDefinition(before, body);
    const columns = columnsOf(definition);
    const name = body.name ?? before.name;
    const enabled = body.enabled === undefined ? before.enabled : body.enabled ? 1 : 0;
    if (enabled === 1) requirePublishing(context, definition.actions);
    const reschedules = columns.trigger !== before.trigger || enabled !== before.enabled;
    const isTaken = body.actions !== undefined || (enabled === 1 && before.enabled === 0);
    const responsible = isTaken ? context.actor.userId : before.responsible_user_id;
    const isNewVersion =
      name !== before.name ||
      columns.actions !== before.actions ||
      responsible !== before.responsible_user_id;
    const after: AutomationRow = {
      ...before,
      ...columns,
      name,
      enabled,
      responsible_user_id: responsible,
      description: body.description === undefined ? before.description : body.description,
      throttle: body.throttle === undefined ? before.throttle : jsonOrNull(body.throttle),
      secret: secretAfter(context, before, body.secret),
      next_run_at: !reschedules
        ? before.next_run_at
        : enabled === 1
          ? nextRunAt(definition.trigger, context.now)
          : null,
      version: isNewVersion ? before.version + 1 : before.version,
      updated_at: context.now.toISOString(),
    };
    const changes = differences(auditable(before), auditable(after));
    if (before.secret !== null && after.secret !== null && before.secret !== after.secret)
      changes.push({ field: 'secret', from: '[redacted]', to: '[redacted]' });
    if (changes.length === 0) return toAutomation(before, await recentRuns(tx, before));
    await updateAutomation(tx, before, after);
    if (isNewVersion) await addVersion(tx, after);
    if (reschedules) await enqueueSchedule(tx, context, after);
    await audit(tx, context, { ...target(after), action: 'automation.updated', changes });
    return toAutomation(after, await recentRuns(tx, before));
  });
}

export async function remove(context: WorkspaceContext, { params }: EndpointInput<'automations.delete'>) {
  const { workspaceId } = context.access;
  // Before its row goes: an event that is stored meanwhile would start a run of it, and be refused with that.
  await context.store.write(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const row = found(await findAutomation(tx, workspaceId, params.automationId));
    await updateAutomation(tx, row, { enabled: 0, next_run_at: null });
  });
  await context.write(async (tx) => {
    const row = found(await findAutomation(tx, workspaceId, params.automationId));
    await deleteAutomation(tx, row);
    await audit(tx, context, { ...target(row), action: 'automation.deleted' });
  });
}

/** The definition after a request. The parts that it leaves out stay. */
export function changedDefinition(
  row: AutomationRow,
  body: EndpointInput<'automations.update'>['body'],
): AutomationDefinition {
  const known = definitionOf(row);
  return {
    trigger: body.trigger ?? known.trigger,
    conditions: body.conditions === undefined ? known.conditions : body.conditions,
    actions: body.actions === undefined ? known.actions : withIds(body.actions),
    concurrency_key: body.concurrency_key === undefined ? known.concurrency_key : body.concurrency_key,
  };
}

export const columnsOf = ({ trigger, conditions, actions, concurrency_key }: AutomationDefinition) => ({
  trigger: JSON.stringify(trigger),
  conditions: jsonOrNull(conditions),
  actions: JSON.stringify(actions),
  concurrency_key,
});

const isStored = (row: AutomationRow, columns: ReturnType<typeof columnsOf>): boolean =>
  (Object.keys(columns) as (keyof typeof columns)[]).every((name) => columns[name] === row[name]);

const addVersion = (
  tx: Tx,
  { id, version, name, actions, responsible_user_id }: AutomationRow,
): Promise<void> =>
  insertVersion(tx, { id: versionId(id, version), automation_id: id, name, actions, responsible_user_id });

/** The sealed secret after a request. Sealing gives another text each time, so the same secret keeps the one that it has. */
function secretAfter(
  context: WorkspaceContext,
  { id, secret: before }: AutomationRow,
  given: string | null | undefined,
): string | null {
  if (given === undefined) return before;
  const known = before === null ? null : openIfReadable(context.vault, before, automationSecretContext(id));
  return known !== null && known === given ? before : sealed(context, id, given);
}

const sealed = ({ vault }: WorkspaceContext, id: string, secret: string | null | undefined) =>
  secret == null ? null : vault.seal(secret, automationSecretContext(id));

/** The fields that the audit log compares. Actions may hold secrets in headers: the log says only that they changed. */
const auditable = (row: AutomationRow) => ({
  name: row.name,
  description: row.description,
  enabled: row.enabled === 1,
  trigger: row.trigger,
  conditions: row.conditions,
  actions: `version ${row.version}`,
  throttle: row.throttle,
  concurrency_key: row.concurrency_key,
  secret: row.secret === null ? null : '[redacted]',
  responsible_user_id: row.responsible_user_id,
});

const target = (row: AutomationRow) => ({
  workspaceId: row.workspace_id,
  target: { type: 'automation', id: row.id, name: row.name },
});

const jsonOrNull = (value: object | null | undefined) => (value == null ? null : JSON.stringify(value));

/** Returns the automation, or throws `not_found`. */
export function found(row: AutomationRow | undefined): AutomationRow {
  if (!row) throw notFound('automation');
  return row;
}
