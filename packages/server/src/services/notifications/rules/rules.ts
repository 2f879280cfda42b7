import {
  type Destination,
  type EndpointInput,
  LIMITS,
  type NotificationRule as Schema,
  type RuleTestResult,
} from '@hubline/contract';
import type { z } from 'zod';
import type { WorkspaceContext } from '../../../context.ts';
import { findMember } from '../../../db/identity/members.ts';
import { findIntegration } from '../../../db/integrations/integrations.ts';
import { listRecipients } from '../../../db/notifications/recipients.ts';
import {
  countRules,
  deleteRule,
  findRule,
  insertRule,
  listRules,
  type RuleRow,
  updateRule,
} from '../../../db/notifications/rules.ts';
import { findTemplate } from '../../../db/notifications/templates.ts';
import type { Db } from '../../../db/core/schema.ts';
import { findWebhook } from '../../../db/webhooks/webhooks.ts';
import { lockWorkspace } from '../../../db/workspaces/workspaces.ts';
import type { Draft } from '../../../domain/draft.ts';
import { type Fault, invalid, notFound, throwAll, unprocessable } from '../../../domain/faults/fault.ts';
import { keyFaults, renderKey } from '../../../domain/notifications/content.ts';
import { isTimeZone, quietUntil } from '../../../domain/notifications/quiet-hours.ts';
import { PLAIN_SETTINGS, refusedBy, type RuleSettings } from '../../../domain/notifications/rule.ts';
import { audit, differences } from '../../audit-log.ts';
import { conditionFaults } from '../../conditions.ts';
import { providerOf } from '../../integrations/provider-of.ts';
import { page } from '../../page.ts';
import { destinationsOf } from '../messages/destinations.ts';
import { renderRule } from '../templates/render.ts';
import { readSettings, toRule } from './rules-of.ts';
import { sampleOf } from '../templates/sample.ts';

type Rule = z.output<typeof Schema>;
type Body = EndpointInput<'notificationRules.update'>['body'];

const shown = (row: RuleRow): Rule => ({
  id: row.id,
  workspace_id: row.workspace_id,
  name: row.name,
  enabled: row.enabled === 1,
  ...readSettings(row.settings),
  template_id: row.template_id,
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

async function findOwn(db: Db, { access }: WorkspaceContext, id: string): Promise<RuleRow> {
  const row = await findRule(db, access.workspaceId, id);
  if (!row) throw notFound('notification rule');
  return row;
}

/** The settings after a request, in a fixed order. Those that it leaves out stay. */
function settingsAfter(
  before: RuleSettings,
  { name: _, enabled: __, template_id: ___, ...given }: Body,
): RuleSettings {
  const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...before, ...changed };
}

const NO_SETTINGS: RuleSettings = { ...PLAIN_SETTINGS, conditions: null, notify_on: [], destinations: [] };

/** Finds the faults that can be found without the database. */
function formFaults({ conditions, quiet_hours: quiet, digest, dedupe }: Draft<Body>): Fault[] {
  const faults = conditionFaults('conditions', conditions);
  if (quiet?.timezone !== undefined && !isTimeZone(quiet.timezone))
    faults.push(invalid('quiet_hours.timezone', 'must be an IANA time zone, such as Europe/Berlin'));
  const keys = [...keyFaults(digest?.key, 'digest.key'), ...keyFaults(dedupe?.key, 'dedupe.key')];
  return [...faults, ...keys.map(({ field, issue }) => invalid(field, issue))];
}

const OF_EVENTS = ['types', 'sources', 'filters'] as const;

/** Finds the settings with which a rule could never match: only events have a type, a source and a severity. */
function matchFaults(settings: Draft<Pick<RuleSettings, (typeof OF_EVENTS)[number] | 'notify_on'>>): Fault[] {
  // An item that was refused is `undefined` here, and may have been meant as event.created.
  if (!settings.notify_on || settings.notify_on.includes(undefined)) return [];
  if (settings.notify_on.includes('event.created')) return [];
  return OF_EVENTS.filter((name) => settings[name] != null).map((name) =>
    invalid(name, 'only applies if notify_on includes event.created; leave it out'),
  );
}

/** Finds templates, integrations, webhooks and members that the workspace does not have, and tools that accept no messages. */
async function referenceFaults(
  db: Db,
  context: WorkspaceContext,
  { destinations = [], template_id: id, integration_ids: integrationIds }: Draft<Body>,
): Promise<Fault[]> {
  const { workspaceId } = context.access;
  const faults: Fault[] = [];
  if (id != null && !(await findTemplate(db, workspaceId, { id })))
    faults.push(notFound('notification template', 'template_id'));
  for (const [index, each] of (integrationIds ?? []).entries())
    if (each !== undefined && !(await findIntegration(db, workspaceId, each)))
      faults.push(notFound('integration', `integration_ids[${index}]`));
  for (const [index, destination] of destinations.entries())
    if (destination)
      faults.push(
        ...(await destinationFaults(db, context, { destination, field: `destinations[${index}]` })),
      );
  return faults;
}

async function destinationFaults(
  db: Db,
  { access: { workspaceId }, providers }: WorkspaceContext,
  { destination, field }: { destination: Draft<Destination>; field: string },
): Promise<Fault[]> {
  if ('webhook_id' in destination && destination.webhook_id !== undefined)
    return (await findWebhook(db, workspaceId, destination.webhook_id))
      ? []
      : [notFound('webhook', `${field}.webhook_id`)];
  if ('user_ids' in destination)
    return memberFaults(db, workspaceId, { userIds: destination.user_ids ?? [], field });
  if (!('integration_id' in destination) || destination.integration_id === undefined) return [];
  const path = `${field}.integration_id`;
  const row = await findIntegration(db, workspaceId, destination.integration_id);
  if (!row) return [notFound('integration', path)];
  const provider = providerOf({ providers }, row);
  if (provider?.notify) return [];
  const name = provider?.name ?? row.provider;
  return [
    unprocessable(
      path,
      `names a ${name} integration, which cannot receive messages; use that of a chat tool`,
    ),
  ];
}

async function memberFaults(
  db: Db,
  workspaceId: string,
  { userIds, field }: { userIds: readonly (string | undefined)[]; field: string },
): Promise<Fault[]> {
  const wanted = userIds.filter((id) => id !== undefined);
  if (wanted.length === 0) return [];
  const active = await listRecipients(db, workspaceId, { userIds: wanted });
  const faults: Fault[] = [];
  for (const [index, id] of userIds.entries()) {
    if (id === undefined || active.some(({ user_id }) => user_id === id)) continue;
    const path = `${field}.user_ids[${index}]`;
    faults.push(
      (await findMember(db, workspaceId, id))
        ? unprocessable(path, 'names a member who has not accepted the invitation yet')
        : notFound('user', path),
    );
  }
  return faults;
}

/** Finds the faults of a body that show without the database. */
export const checkForm = (sound: Draft<Body>): Fault[] => [...formFaults(sound), ...matchFaults(sound)];

/** Finds the faults in the sound parts of a body that its schema has refused. */
export const check = async (context: WorkspaceContext, sound: Draft<Body>): Promise<Fault[]> => [
  ...checkForm(sound),
  ...(await referenceFaults(context.store.read, context, sound)),
];

export async function list(context: WorkspaceContext, { query }: EndpointInput<'notificationRules.list'>) {
  return page(context, query, {
    rows: (request) => listRules(context.store.read, context.access.workspaceId, request),
    position: (row) => row.id,
    item: shown,
    rowBytes: 128 * 1024,
  });
}

export async function get(context: WorkspaceContext, { params }: EndpointInput<'notificationRules.get'>) {
  return shown(await findOwn(context.store.read, context, params.ruleId));
}

export async function create(context: WorkspaceContext, { body }: EndpointInput<'notificationRules.create'>) {
  const settings = settingsAfter(NO_SETTINGS, body);
  const faults = [...formFaults(body), ...matchFaults(settings)];
  return context.write(async (tx) => {
    await lockWorkspace(tx, context.access.workspaceId);
    throwAll([...faults, ...(await referenceFaults(tx, context, body))]);
    if ((await countRules(tx, context.access.workspaceId)) >= LIMITS.rulesMax)
      throw unprocessable(
        'id',
        `names a workspace with ${LIMITS.rulesMax} notification rules; delete one first`,
      );
    const now = context.now.toISOString();
    const row: RuleRow = {
      id: context.ids('notificationRule'),
      workspace_id: context.access.workspaceId,
      name: body.name,
      enabled: Number(body.enabled ?? true),
      template_id: body.template_id ?? null,
      settings: JSON.stringify(settings),
      created_by: context.actor.userId,
      created_at: now,
      updated_at: now,
    };
    await insertRule(tx, row);
    await audit(tx, context, { ...target(row), action: 'notification_rule.created' });
    return shown(row);
  });
}

export async function update(
  context: WorkspaceContext,
  { params, body }: EndpointInput<'notificationRules.update'>,
) {
  const faults = formFaults(body);
  return context.write(async (tx) => {
    await lockWorkspace(tx, context.access.workspaceId);
    const before = await findOwn(tx, context, params.ruleId);
    const settings = settingsAfter(readSettings(before.settings), body);
    throwAll([...faults, ...matchFaults(settings), ...(await referenceFaults(tx, context, body))]);
    const wanted = changedRow(before, body, settings);
    const changes = differences(before, wanted);
    if (changes.length === 0) return shown(before);
    const after = await updateRule(tx, before, { ...wanted, updated_at: context.now.toISOString() });
    if (!after) throw notFound('notification rule');
    await audit(tx, context, { ...target(after), action: 'notification_rule.updated', changes });
    return shown(after);
  });
}

function changedRow(row: RuleRow, body: Body, settings: RuleSettings) {
  return {
    name: body.name ?? row.name,
    enabled: body.enabled === undefined ? row.enabled : Number(body.enabled),
    template_id: body.template_id === undefined ? row.template_id : body.template_id,
    settings: JSON.stringify(settings),
  };
}

export async function remove(
  context: WorkspaceContext,
  { params }: EndpointInput<'notificationRules.delete'>,
): Promise<void> {
  await context.write(async (tx) => {
    const row = await findOwn(tx, context, params.ruleId);
    await deleteRule(tx, row);
    await audit(tx, context, { ...target(row), action: 'notification_rule.deleted' });
  });
}

/** A dry run: nothing is sent, and nothing is stored. */
export async function test(
  context: WorkspaceContext,
  { params, body }: EndpointInput<'notificationRules.test'>,
): Promise<z.output<typeof RuleTestResult>> {
  const { changes = {} } = body;
  const { read } = context.store;
  const stored = await findOwn(read, context, params.ruleId);
  const settings = settingsAfter(readSettings(stored.settings), changes);
  const references = await referenceFaults(read, context, changes);
  throwAll([...formFaults(changes), ...matchFaults(settings), ...references]);
  const row = { ...stored, ...changedRow(stored, changes, settings) };
  const { workspaceId } = context.access;
  const rule = toRule(row);
  const [first] = rule.notify_on;
  const trigger = rule.notify_on.includes('event.created') ? 'event.created' : first;
  const { eventId, fact, scope } = await sampleOf(context, body, trigger);
  const values = { ...scope.values, rule: { id: rule.key, name: rule.name } };
  const refused = row.enabled === 1 ? refusedBy(rule, fact) : 'enabled';
  const holds = rule.conditions === null || rule.conditions.matches(scope);
  const { content, problems } = await renderRule(context, {
    workspaceId,
    rule,
    trigger: fact.trigger,
    scope: values,
  });
  const destinations = await destinationsOf(context, workspaceId, { rule });
  return context.write(async () => ({
    event_id: eventId,
    matched: refused === null && holds,
    refused_by: refused ?? (holds ? null : 'conditions'),
    conditions: rule.conditions?.explain(scope) ?? null,
    rendered: { ...content, problems },
    destinations: destinations.map(({ kind, to, problem }) => ({ kind, to, problem })),
    send_at: sendAt(rule, context.now),
    dedupe_key: rule.dedupe ? renderKey(rule.dedupe.key, values) : null,
  }));
}

function sendAt(
  { critical, digest, quiet_hours: quiet }: Omit<RuleSettings, 'conditions'>,
  now: Date,
): string | null {
  if (critical) return null;
  const collected = digest ? new Date(now.getTime() + digest.window_seconds * 1_000) : now;
  const at = (quiet && quietUntil(quiet, collected)) ?? collected;
  return at === now ? null : at.toISOString();
}

const target = ({ workspace_id, id, name }: RuleRow) => ({
  workspaceId: workspace_id,
  target: { type: 'notification_rule', id, name },
});
