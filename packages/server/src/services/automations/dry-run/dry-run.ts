import type { EndpointInput, EndpointOutput } from '@hubline/contract';
import type { WorkspaceContext } from '../../../context.ts';
import { type AutomationRow, findAutomation } from '../../../db/automations/automations.ts';
import { findEvent } from '../../../db/events/events.ts';
import { listEvents } from '../../../db/events/list-events.ts';
import { compileConditions } from '../../../domain/conditions/conditions.ts';
import { stepNames } from '../../../domain/value-names.ts';
import { eventScope, plainScope, type Scope } from '../../../domain/conditions/scope.ts';
import { storedConditions } from '../../../domain/conditions/stored-conditions.ts';
import { summarize } from '../../../domain/events/summary/summarize.ts';
import { parseExact } from '../../../domain/json/numbers/exact-number.ts';
import { memberText } from '../../../domain/json/json.ts';
import { invalid, notFound } from '../../../domain/faults/fault.ts';
import { scopeOf } from '../../events/event-scope.ts';
import { sampleData } from '../../sample-data.ts';
import type { Action, RenderWork } from '../actions/action.ts';
import { kindOf } from '../actions/index.ts';
import { changedDefinition, columnsOf, found } from '../automations.ts';
import { isUnknown, knownResults, type KnownResults, withUnknown } from './dry-run-results.ts';
import { kept } from '../runs/kept.ts';
import { concurrencyOf } from '../triggers/start.ts';
import type { AutomationTrigger } from '../triggers/start-index.ts';
import { requireRunnable } from '../validate.ts';

type Result = EndpointOutput<'automations.test'>;
type Step = Result['steps'][number];

/** The event of a dry run. */
interface Tried {
  id: string | null;
  type: string;
  source: string;
  integrationId: string | null;
  scope: Scope;
}

/** Makes a dry run: shows every condition with its verdict, and every action with its request. Nothing is sent. */
export async function test(
  context: WorkspaceContext,
  { params, body }: EndpointInput<'automations.test'>,
): Promise<Result> {
  if (body.event && body.event_id !== undefined)
    throw invalid('event', 'cannot be combined with event_id: choose one of them');
  const stored = found(
    await findAutomation(context.store.read, context.access.workspaceId, params.automationId),
  );
  const row = await changed(context, stored, body.changes);
  const trigger = JSON.parse(row.trigger) as AutomationTrigger;
  const data = sampleData(trigger.event, context.now);
  const isAsked = body.event !== undefined || body.event_id !== undefined;
  const tried = isAsked || !data ? await eventToTry(context, body) : null;
  const scope = tried?.scope ?? plainScope(trigger.event, data ?? {});
  const known = await knownResults(context, row, tried?.id ?? null);
  const conditions = storedConditions(row.conditions === null ? null : JSON.parse(row.conditions));
  // A run that is started by hand needs neither trigger nor conditions to match.
  const holds = trigger.event === 'manual' || conditions?.matches(scope) !== false;
  const refused = refusedBy(trigger, tried) ?? (holds ? null : 'conditions');
  const result: Result = {
    event_id: tried?.id ?? null,
    matched: refused === null,
    refused_by: refused,
    conditions: conditions?.explain(scope) ?? null,
    concurrency_key: concurrencyOf(row, scope),
    results_of: known.runId,
    steps: await stepsOf(context, row, { scope, known }),
  };
  return context.write(async () => result);
}

/** The automation as a save would make it. */
async function changed(
  context: WorkspaceContext,
  row: AutomationRow,
  changes: EndpointInput<'automations.test'>['body']['changes'],
): Promise<AutomationRow> {
  if (!changes) return row;
  const definition = changedDefinition(row, changes);
  await requireRunnable(context, definition);
  return { ...row, ...columnsOf(definition), name: changes.name ?? row.name };
}

async function eventToTry(
  context: WorkspaceContext,
  { event, event_id: id }: EndpointInput<'automations.test'>['body'],
): Promise<Tried | null> {
  const { workspaceId } = context.access;
  if (event) {
    const { type, source = 'api', payload } = event;
    const now = context.now.toISOString();
    const scope = eventScope('event.created', {
      id: '',
      type,
      source,
      provider: null,
      integrationId: null,
      workspaceId,
      summary: JSON.stringify(summarize(type, payload)),
      payload: memberText(context.bodyText, ['event', 'payload']) ?? '{}',
      occurredAt: now,
      createdAt: now,
    });
    return { id: null, type, source, integrationId: null, scope };
  }
  const { read } = context.store;
  const row =
    id === undefined
      ? (await listEvents(read, { workspaceIds: [workspaceId] }, { after: null, limit: 1 })).rows[0]
      : await findEvent(read, workspaceId, id);
  if (!row && id !== undefined) throw notFound('event', 'event_id');
  if (!row) return null;
  const { type, source, integration_id: integrationId } = row;
  return { id: row.id, type, source, integrationId, scope: await scopeOf(context, row) };
}

function refusedBy(
  { event, types, sources, integration_ids: ids }: AutomationTrigger,
  tried: Tried | null,
): Result['refused_by'] {
  if (event !== 'event.created') return tried === null || event === 'manual' ? null : 'trigger';
  if (tried === null) return 'trigger';
  if (types && !types.includes(tried.type)) return 'types';
  if (sources && !sources.includes(tried.source)) return 'sources';
  if (ids && !(tried.integrationId !== null && ids.includes(tried.integrationId))) return 'integration_ids';
  return null;
}

async function stepsOf(
  { store, now, providers }: WorkspaceContext,
  row: AutomationRow,
  { scope, known }: { scope: Scope; known: KnownResults },
): Promise<Step[]> {
  const past: Record<string, unknown> = {};
  const { event: trigger } = JSON.parse(row.trigger) as AutomationTrigger;
  const run = { id: 'run_dry', workspace_id: row.workspace_id, trigger };
  const automation = { id: row.id, name: row.name };
  const values = {
    ...scope.values,
    automation,
    run: { id: run.id, trigger, created_at: now.toISOString() },
    steps: past,
  };
  const steps: Step[] = [];
  for (const [index, action] of (JSON.parse(row.actions) as Action[]).entries()) {
    const id = action.id ?? `a${index + 1}`;
    const work = { read: store.read, providers, run, automation, values };
    const step = await stepOf(action, { work, scope: { ...scope, values }, id, known });
    past[id] = {
      status: step.runs ? 'succeeded' : 'skipped',
      output: known.outputs.get(id) ?? null,
      error: null,
    };
    steps.push(step);
  }
  return steps;
}

async function stepOf(
  action: Action,
  { work, scope, id, known }: { work: RenderWork; scope: Scope; id: string; known: KnownResults },
): Promise<Step> {
  const compiled =
    action.if && compileConditions(action.if, { field: 'if', names: stepNames([]), isStored: true });
  const conditions = compiled?.ok ? compiled.conditions : null;
  const verdicts = conditions && withUnknown(conditions.explain(scope), known);
  const step = {
    action_id: id,
    type: action.type,
    runs: conditions === null || conditions.matches(scope) || verdicts?.some(isUnknown) === true,
    conditions: verdicts,
  };
  if (action.type === 'wait') return { ...step, request: { seconds: action.seconds }, error: null };
  const rendered = await kindOf(action).render(action, work);
  if (!rendered.ok) return { ...step, request: null, error: rendered.error };
  return {
    ...step,
    request: parseExact(kept(rendered.request) ?? '{}') as Record<string, unknown>,
    error: null,
  };
}
