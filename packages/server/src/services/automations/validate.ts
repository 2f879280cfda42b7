import { type Condition, LIMITS } from '@hubline/contract';
import type { WorkspaceContext } from '../../context.ts';
import { findIntegration } from '../../db/integrations/integrations.ts';
import { findTemplate } from '../../db/notifications/templates.ts';
import { WorkBudget } from '../../domain/conditions/work-budget.ts';
import type { Draft } from '../../domain/draft.ts';
import {
  type Fault,
  type FaultDetail,
  invalid,
  notFound,
  throwAll,
  unprocessable,
} from '../../domain/faults/fault.ts';
import { unknownName } from '../../domain/faults/unknown-name.ts';
import { isExact } from '../../domain/events/reading.ts';
import { OCCURRENCE_NAMES, stepNames, type ValueNames } from '../../domain/value-names.ts';
import { treeFaults } from '../../domain/templates/template-tree.ts';
import type { ActionInput } from '../../providers/provider.ts';
import { conditionFaults } from '../conditions.ts';
import { requireScope } from '../identity/access.ts';
import { providerOf } from '../integrations/provider-of.ts';
import { urlFault } from '../webhooks/target-url.ts';
import type { Action } from './actions/action.ts';
import { scheduleFaults } from './triggers/schedule.ts';
import type { AutomationTrigger } from './triggers/start-index.ts';

/** The parts of an automation that are checked before they are stored. */
export interface AutomationDefinition {
  trigger: AutomationTrigger;
  conditions: Condition | null;
  actions: readonly Action[];
  concurrency_key: string | null;
}

/** Gives every action without an ID one by its position: `a1`, `a2`. */
export const withIds = (actions: readonly Action[]): Action[] =>
  // The ID goes where requests usually have it, so that an export that is applied again is the same text.
  actions.map(({ type, ...action }, index) => ({ type, id: `a${index + 1}`, ...action }) as Action);

/** Refuses a definition that could not run, with the path of everything that is wrong with it. */
export async function requireRunnable(
  context: WorkspaceContext,
  definition: AutomationDefinition,
): Promise<void> {
  throwAll(await definitionFaults(context, definition));
}

/** Finds every reason why a definition could not run: faults of form first, then those in its references and URLs. */
export async function definitionFaults(
  context: WorkspaceContext,
  definition: Draft<AutomationDefinition>,
): Promise<Fault[]> {
  const { trigger, actions = [] } = definition;
  const faults = formFaults(definition);
  for (const [index, action] of actions.entries())
    if (action) faults.push(...(await reachFaults(context, action, `actions[${index}]`)));
  for (const [index, id] of (trigger?.integration_ids ?? []).entries())
    if (id !== undefined && !(await findOwn(context, id)))
      faults.push(notFound('integration', `trigger.integration_ids[${index}]`));
  return faults;
}

/** Finds the faults that show without the database: in the schedule, the conditions, the templates and the headers. */
export function formFaults({
  trigger,
  conditions,
  actions = [],
  concurrency_key: key,
}: Draft<AutomationDefinition>): Fault[] {
  const ids = actions.map((action, index) => action?.id ?? `a${index + 1}`);
  const budget = new WorkBudget();
  const faults = [
    ...(trigger ? scheduleFaults(trigger) : []).map(toFault),
    ...conditionFaults('conditions', conditions, { budget }),
    ...treeFaults(key, { path: 'concurrency_key', names: OCCURRENCE_NAMES }).map(toFault),
    ...idFaults(ids).map(toFault),
    ...actions.flatMap((action = {}, index) =>
      actionFaults(action, { path: `actions[${index}]`, names: stepNames(ids.slice(0, index)), budget }),
    ),
  ];
  if (Buffer.byteLength(JSON.stringify(actions)) > LIMITS.actionsBytes)
    faults.push(invalid('actions', `must have at most ${LIMITS.actionsBytes / 1_024} KiB in all`));
  return faults;
}

const toFault = ({ field, issue }: FaultDetail): Fault => invalid(field, issue);

function idFaults(ids: readonly string[]): FaultDetail[] {
  return ids.flatMap((id, index) => {
    const first = ids.indexOf(id);
    if (first === index) return [];
    const issue = `is also the ID of actions[${first}]; give each action its own (default: a and its position, such as a2)`;
    return [{ field: `actions[${index}].id`, issue }];
  });
}

/** Finds the faults of an action. It may name earlier steps only: later ones have no values yet. */
function actionFaults(
  action: Draft<Action>,
  { path, names, budget }: { path: string; names: ValueNames; budget: WorkBudget },
): Fault[] {
  const faults = conditionFaults(`${path}.if`, action.if, { names, budget });
  for (const name of ['text', 'channel', 'payload', 'input'] as const) {
    const value = (action as Partial<Record<typeof name, unknown>>)[name];
    if (value === undefined) continue;
    const field = `${path}.${name}`;
    faults.push(
      ...[...treeFaults(value, { path: field, names }), ...numberFaults(value, field)].map(toFault),
    );
  }
  if (action.type !== 'call_webhook') return faults;
  const { url = '', headers = {} } = action;
  const fault = templateFault(url, `${path}.url`);
  return [...faults, ...(fault ? [fault] : []), ...headerFaults(headers, `${path}.headers`)];
}

/** Finds numbers in a payload that were rounded when the request was parsed. Numbers in events stay exact. */
function numberFaults(value: unknown, path: string): FaultDetail[] {
  if (typeof value === 'number' && !isExact(value))
    return [{ field: path, issue: 'is beyond 2^53, which JSON readers round; write it as a string' }];
  if (Array.isArray(value)) return value.flatMap((item, index) => numberFaults(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => numberFaults(member, `${path}.${name}`));
}

/** Finds the faults in what an action reaches: a URL, an integration, a template. */
async function reachFaults(context: WorkspaceContext, action: Draft<Action>, path: string): Promise<Fault[]> {
  if (action.type === 'call_webhook') return addressFaults(context, action, path);
  const faults: Fault[] = [];
  if ('template_id' in action && action.template_id !== undefined) {
    const { template_id: id } = action;
    if (!(await findTemplate(context.store.read, context.access.workspaceId, { id })))
      faults.push(notFound('notification template', `${path}.template_id`));
  }
  if (!('integration_id' in action) || action.integration_id === undefined) return faults;
  const row = await findOwn(context, action.integration_id);
  const field = `${path}.integration_id`;
  if (!row) return [...faults, notFound('integration', field)];
  const provider = providerOf(context, row);
  const name = provider?.name ?? row.provider;
  if (action.type === undefined) return faults;
  if (action.type === 'send_notification') {
    if (!provider?.notify)
      faults.push(
        unprocessable(
          field,
          `names a ${name} integration, which cannot receive messages; use that of a chat tool`,
        ),
      );
    return faults;
  }
  const offered = provider?.actions?.[action.type];
  if (offered) return [...faults, ...inputFaults(offered.inputs, inputOf(action), `${path}.input`)];
  const others = Object.keys(provider?.actions ?? {});
  const cure = others.length === 0 ? 'use another integration' : `it has ${others.join(', ')}`;
  return [
    ...faults,
    unprocessable(field, `names a ${name} integration, which has no ${action.type}; ${cure}`),
  ];
}

/** The fault of an address that the server must not call. A template there is refused for its form. */
function addressFaults(
  context: WorkspaceContext,
  { url }: Draft<Extract<Action, { type: 'call_webhook' }>>,
  path: string,
): Fault[] {
  if (url === undefined || templateFault(url, path)) return [];
  const fault = urlFault(context, `${path}.url`, url);
  return fault ? [fault] : [];
}

const inputOf = (action: Draft<Action>): Draft<VendorAction['input']> =>
  ('input' in action ? action.input : undefined) ?? {};

function inputFaults(
  inputs: Readonly<Record<string, ActionInput>>,
  given: Draft<VendorAction['input']>,
  path: string,
): Fault[] {
  const known = Object.keys(inputs);
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  const faults = unknown.map((name) =>
    invalid(`${path}.${name}`, unknownName(name, { known, noun: 'field' })),
  );
  for (const [name, { type, required, description }] of Object.entries(inputs)) {
    const value = given[name];
    const issue =
      value !== undefined
        ? typeIssue(type, value)
        : required
          ? `is required: ${description.replace(/\.$/, '')}`
          : null;
    if (issue !== null) faults.push(invalid(`${path}.${name}`, issue));
  }
  return faults;
}

type VendorAction = Extract<Action, { input: object }>;

/** The fault of an input of the wrong type. The type of a template is known only when it is rendered. */
function typeIssue(type: ActionInput['type'], value: Draft<VendorAction['input'][string]>): string | null {
  if (Array.isArray(value)) return type === 'list' ? null : 'must be one string, not a list';
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

/** The fault of a template outside the payload: a value of an event must not choose the URL, or add a header. */
function templateFault(text: string, field: string): Fault | null {
  const issue = 'is not a template and must not contain {{ or {%; put values that change into payload';
  return /\{[{%]/.test(text) ? invalid(field, issue) : null;
}

function headerFaults(headers: Readonly<Record<string, string | undefined>>, path: string): Fault[] {
  const seen = new Set<string>();
  return Object.entries(headers).flatMap(([name, value = '']) => {
    const field = `${path}.${name}`;
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    if (isRepeated) return invalid(field, 'is given twice: header names are not case-sensitive; keep one');
    if (!HEADER.test(name)) return invalid(field, 'is not a header name; use letters, digits and -');
    if (OWN.test(name)) return invalid(field, 'is set by the server; leave it out');
    const isPlain = /^[\t\x20-\x7e]*$/.test(value);
    return (
      templateFault(value, field) ??
      (isPlain ? [] : invalid(field, 'must have only visible ASCII characters'))
    );
  });
}

const findOwn = ({ store, access }: WorkspaceContext, id: string) =>
  findIntegration(store.read, access.workspaceId, id);
