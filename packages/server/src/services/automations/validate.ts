import { type Condition, LIMITS } from '@hubline/contract';
import type { WorkspaceContext } from '../../context.ts';
import { findIntegration } from '../../db/integrations/integrations.ts';
import { findTemplate } from '../../db/notifications/templates.ts';
import { compileConditions } from '../../domain/conditions/conditions.ts';
import {
  type FaultDetail,
  invalid,
  invalidFields,
  notFound,
  unprocessable,
} from '../../domain/faults/fault.ts';
import { unknownName } from '../../domain/faults/unknown-name.ts';
import { isExact } from '../../domain/events/reading.ts';
import { OCCURRENCE_NAMES, stepNames, type ValueNames } from '../../domain/value-names.ts';
import { treeFaults } from '../../domain/templates/template-tree.ts';
import type { ActionInput } from '../../providers/provider.ts';
import { requireScope } from '../identity/access.ts';
import { providerOf } from '../integrations/provider-of.ts';
import { requireAllowedUrl } from '../webhooks/target-url.ts';
import type { Action } from './actions/action.ts';
import { scheduleFaults } from './triggers/schedule.ts';
import type { AutomationTrigger } from './triggers/start-index.ts';

/** The parts of an automation that are checked before they are stored. */
export interface Definition {
  trigger: AutomationTrigger;
  conditions: Condition | null;
  actions: readonly Action[];
  concurrency_key: string | null;
}

/** Gives every action without an id one by its position: `a1`, `a2`. */
export const withIds = (actions: readonly Action[]): Action[] =>
  // The id goes where requests usually have it, so that an export that is applied again is the same text.
  actions.map(({ type, ...action }, index) => ({ type, id: `a${index + 1}`, ...action }) as Action);

/**
 * Refuses a definition that could not run: `invalid_request` with the paths of all faults of form, then faults in its
 * references to the workspace and its URLs.
 */
export async function requireRunnable(context: WorkspaceContext, definition: Definition): Promise<void> {
  const { trigger, conditions, actions, concurrency_key: key } = definition;
  const ids = actions.map(({ id }, index) => id ?? `a${index + 1}`);
  const faults = [
    ...scheduleFaults(trigger),
    ...conditionFaults('conditions', conditions, OCCURRENCE_NAMES),
    ...treeFaults(key, { path: 'concurrency_key', names: OCCURRENCE_NAMES }),
    ...idFaults(ids),
    ...actions.flatMap((action, index) =>
      actionFaults(action, { path: `actions[${index}]`, names: stepNames(ids.slice(0, index)) }),
    ),
  ];
  const [first, ...others] = faults;
  if (first) throw invalidFields([first, ...others]);
  if (JSON.stringify(actions).length > LIMITS.actionsBytes)
    throw invalid('actions', `must have at most ${LIMITS.actionsBytes / 1_024} KiB in all`);
  for (const [index, action] of actions.entries())
    await requireReachable(context, action, `actions[${index}]`);
  for (const [index, id] of (trigger.integration_ids ?? []).entries())
    await findOwn(context, id, `trigger.integration_ids[${index}]`);
}

function conditionFaults(
  field: string,
  condition: Condition | null | undefined,
  names: ValueNames,
): readonly FaultDetail[] {
  if (condition == null) return [];
  const compiled = compileConditions(condition, { field, names });
  return compiled.ok ? [] : compiled.problems;
}

function idFaults(ids: readonly string[]): FaultDetail[] {
  return ids.flatMap((id, index) =>
    ids.indexOf(id) < index ? [{ field: `actions[${index}].id`, issue: 'is the id of another action' }] : [],
  );
}

/** Finds the faults of an action. It may name earlier steps only: later ones have no values yet. */
function actionFaults(action: Action, { path, names }: { path: string; names: ValueNames }): FaultDetail[] {
  const faults = [...conditionFaults(`${path}.if`, action.if, names)];
  for (const name of ['text', 'channel', 'payload', 'input'] as const) {
    const value = (action as Partial<Record<typeof name, unknown>>)[name];
    if (value === undefined) continue;
    faults.push(
      ...treeFaults(value, { path: `${path}.${name}`, names }),
      ...numberFaults(value, `${path}.${name}`),
    );
  }
  return faults;
}

/** Finds numbers in a payload that were rounded when the request was parsed. Numbers in events stay exact. */
function numberFaults(value: unknown, path: string): FaultDetail[] {
  if (typeof value === 'number' && !isExact(value))
    return [{ field: path, issue: 'is beyond 2^53, which JSON readers round; write it as a text' }];
  if (Array.isArray(value)) return value.flatMap((item, index) => numberFaults(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => numberFaults(member, `${path}.${name}`));
}

async function requireReachable(context: WorkspaceContext, action: Action, path: string): Promise<void> {
  if (action.type === 'call_webhook') {
    refuseTemplate(action.url, `${path}.url`);
    requireAllowedUrl(context, `${path}.url`, action.url);
    refuseHeaders(action.headers ?? {}, `${path}.headers`);
  }
  if (!('integration_id' in action)) return;
  const row = await findOwn(context, action.integration_id, `${path}.integration_id`);
  const provider = providerOf(context, row);
  const name = provider?.name ?? row.provider;
  if (action.type === 'send_notification') {
    await requireTemplate(context, action.template_id, `${path}.template_id`);
    if (!provider?.notify)
      throw unprocessable(
        `${path}.integration_id`,
        `names a ${name} integration, which cannot receive messages`,
      );
    return;
  }
  const offered = provider?.actions?.[action.type];
  if (!offered)
    throw unprocessable(`${path}.integration_id`, `names a ${name} integration, which has no ${action.type}`);
  const known = Object.keys(offered.inputs);
  for (const input of Object.keys(action.input)) {
    if (!known.includes(input))
      throw invalid(`${path}.input.${input}`, unknownName(input, { known, noun: 'field' }));
  }
  for (const [input, { type, required, description }] of Object.entries(offered.inputs)) {
    const value = action.input[input];
    if (required && value === undefined)
      throw invalid(`${path}.input.${input}`, `is required: ${description.replace(/\.$/, '')}`);
    const issue = value === undefined ? null : typeIssue(type, value);
    if (issue !== null) throw invalid(`${path}.input.${input}`, issue);
  }
}

type VendorAction = Extract<Action, { input: object }>;

/** The fault of an input of the wrong type. The type of a template is known only when it is rendered. */
function typeIssue(type: ActionInput['type'], value: VendorAction['input'][string]): string | null {
  if (Array.isArray(value)) return type === 'list' ? null : 'must be one text, not a list';
  const isNumber = /^\s*#?\d+\s*$|\{[{%]/.test(String(value));
  return type === 'number' && !isNumber ? 'must be a whole number, or a template that gives one' : null;
}

/**
 * Throws `forbidden` for a key that may not publish events if the actions do so: an automation may not do more than the
 * key.
 */
export function requirePublishing({ actor }: WorkspaceContext, actions: readonly Action[]): void {
  if (actions.some(({ type }) => type === 'create_event'))
    requireScope(actor, 'events:write', 'for an automation with the action create_event');
}

const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
// Headers of the connection, and headers that identify the caller.
const OWN =
  /^(?:host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|user-agent|idempotency-key|x-service-.*|webhook-(?:id|timestamp|signature)|__proto__)$/i;

/** Refuses templates outside the payload: a value of an event must not choose the URL, or add a header. */
function refuseTemplate(text: string, field: string): void {
  if (/\{[{%]/.test(text))
    throw invalid(
      field,
      'is not a template and must not contain {{ or {%; put values that change into payload',
    );
}

function refuseHeaders(headers: Readonly<Record<string, string>>, path: string): void {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const field = `${path}.${name}`;
    if (seen.has(name.toLowerCase()))
      throw invalid(field, 'is given twice: header names are not case-sensitive');
    seen.add(name.toLowerCase());
    refuseTemplate(value, field);
    if (!HEADER.test(name)) throw invalid(field, 'is not a valid header name');
    if (OWN.test(name)) throw invalid(field, 'is set by the server; leave it out');
    if (!/^[\t\x20-\x7e]*$/.test(value)) throw invalid(field, 'must have only visible ASCII characters');
  }
}

async function findOwn(context: WorkspaceContext, id: string, field: string) {
  const row = await findIntegration(context.store.read, context.access.workspaceId, id);
  if (!row) throw notFound('integration', field);
  return row;
}

async function requireTemplate(
  { store, access }: WorkspaceContext,
  id: string | undefined,
  field: string,
): Promise<void> {
  if (id !== undefined && !(await findTemplate(store.read, access.workspaceId, { id })))
    throw notFound('notification template', field);
}
