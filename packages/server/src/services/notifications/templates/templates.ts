import type {
  EndpointInput,
  NotificationTemplate as Schema,
  RenderedTemplate,
  TemplateBody,
} from '@hubline/contract';
import type { z } from 'zod';
import type { WorkspaceContext } from '../../../context.ts';
import { findAutomationOfTemplate } from '../../../db/automations/automations.ts';
import { findRuleOfTemplate } from '../../../db/notifications/rules.ts';
import {
  addVersion,
  deleteTemplate,
  findTemplate,
  insertTemplate,
  listTemplates,
  type TemplateRow,
} from '../../../db/notifications/templates.ts';
import type { Db } from '../../../db/core/schema.ts';
import { lockWorkspace } from '../../../db/workspaces/workspaces.ts';
import type { Draft } from '../../../domain/draft.ts';
import { Fault, type FaultDetail, invalid, invalidFields, notFound } from '../../../domain/faults/fault.ts';
import { contentFaults, plainBody, renderContent } from '../../../domain/notifications/content.ts';
import { audit, differences } from '../../audit-log.ts';
import { page } from '../../page.ts';
import { contentOf } from './render.ts';
import { sampleOf } from './sample.ts';

type Template = z.output<typeof Schema>;
type BodyInput = EndpointInput<'notificationTemplates.create'>['body']['body'];

const toTemplate = (row: TemplateRow): Template => ({
  id: row.id,
  workspace_id: row.workspace_id,
  name: row.name,
  version: row.version,
  ...contentOf(row),
  sample_event_type: row.sample_event_type,
  created_at: row.made_at,
  updated_at: row.created_at,
});

/** The forms as they are stored: missing ones are `null`. */
const wholeBody = (body: BodyInput): TemplateBody => ({ ...plainBody(body.text), ...withoutUndefined(body) });

const withoutUndefined = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Throws `invalid_request` with the path, line and column of every fault. */
function requireContent(content: { subject: string | null; body: TemplateBody }): void {
  const faults = contentFaults(content);
  if (faults.length > 0) throw invalidFields(faults as [FaultDetail, ...FaultDetail[]]);
}

async function findOwn(
  db: Db,
  { access }: WorkspaceContext,
  wanted: { id: string; version?: number | undefined },
): Promise<TemplateRow> {
  const row = await findTemplate(db, access.workspaceId, wanted);
  if (!row)
    throw notFound(wanted.version === undefined ? 'notification template' : 'version of the template');
  return row;
}

export async function list(
  context: WorkspaceContext,
  { query }: EndpointInput<'notificationTemplates.list'>,
) {
  return page(context, query, {
    rows: (request) => listTemplates(context.store.read, context.access.workspaceId, request),
    position: (row) => row.id,
    item: toTemplate,
    rowBytes: 256 * 1024,
  });
}

/** Finds the faults of a body: all of them show without the database. */
export const checkForm = ({
  subject = null,
  body = {},
}: Draft<EndpointInput<'notificationTemplates.update'>['body']>): Fault[] =>
  contentFaults({ subject, body }).map(({ field, issue }) => invalid(field, issue));

/** Finds the faults in the sound parts of a body that its schema has refused. */
export const check = async (
  _context: WorkspaceContext,
  sound: Parameters<typeof checkForm>[0],
): Promise<Fault[]> => checkForm(sound);

export async function create(
  context: WorkspaceContext,
  { body }: EndpointInput<'notificationTemplates.create'>,
) {
  const content = { subject: body.subject ?? null, body: wholeBody(body.body) };
  requireContent(content);
  return context.write(async (tx) => {
    const now = context.now.toISOString();
    const row: TemplateRow = {
      id: context.ids('notificationTemplate'),
      workspace_id: context.access.workspaceId,
      version: 1,
      name: body.name,
      subject: content.subject,
      body: JSON.stringify(content.body),
      sample_event_type: body.sample_event_type ?? null,
      created_by: context.actor.userId,
      created_at: now,
      made_at: now,
    };
    await insertTemplate(tx, row);
    await audit(tx, context, { ...target(row), action: 'notification_template.created' });
    return toTemplate(row);
  });
}

export async function get(
  context: WorkspaceContext,
  { params, query }: EndpointInput<'notificationTemplates.get'>,
) {
  return toTemplate(
    await findOwn(context.store.read, context, { id: params.templateId, version: query.version }),
  );
}

export async function update(
  context: WorkspaceContext,
  { params, body }: EndpointInput<'notificationTemplates.update'>,
) {
  return context.write(async (tx) => {
    await lockWorkspace(tx, context.access.workspaceId);
    const before = await findOwn(tx, context, { id: params.templateId });
    const wanted = {
      name: body.name ?? before.name,
      subject: body.subject === undefined ? before.subject : body.subject,
      body: body.body === undefined ? before.body : JSON.stringify(wholeBody(body.body)),
      sample_event_type:
        body.sample_event_type === undefined ? before.sample_event_type : body.sample_event_type,
    };
    requireContent(contentOf(wanted));
    const changes = differences(before, wanted);
    if (changes.length === 0) return toTemplate(before);
    const row: TemplateRow = {
      ...before,
      ...wanted,
      version: before.version + 1,
      created_by: context.actor.userId,
      created_at: context.now.toISOString(),
    };
    await addVersion(tx, row);
    await audit(tx, context, {
      ...target(row),
      action: 'notification_template.updated',
      // The texts can be read by version, so the log has only the numbers.
      changes: [{ field: 'version', from: before.version, to: row.version }],
      metadata: { changed: changes.map(({ field }) => field) },
    });
    return toTemplate(row);
  });
}

export async function remove(
  context: WorkspaceContext,
  { params }: EndpointInput<'notificationTemplates.delete'>,
): Promise<void> {
  await context.write(async (tx) => {
    await lockWorkspace(tx, context.access.workspaceId);
    const row = await findOwn(tx, context, { id: params.templateId });
    const rule = await findRuleOfTemplate(tx, row.workspace_id, row.id);
    const user = rule ?? (await findAutomationOfTemplate(tx, row.workspace_id, row.id));
    if (user) {
      const noun = rule ? 'rule' : 'automation';
      throw new Fault(
        'conflict',
        `${rule ? 'A notification rule' : 'An automation'} uses this template. Give the ${noun} another one first.`,
        {
          details: [{ field: 'templateId', issue: `is the template of the ${noun} ${user.name}` }],
        },
      );
    }
    await deleteTemplate(tx, row);
    await audit(tx, context, { ...target(row), action: 'notification_template.deleted' });
  });
}

export async function preview(
  context: WorkspaceContext,
  { params, body }: EndpointInput<'notificationTemplates.preview'>,
): Promise<z.output<typeof RenderedTemplate>> {
  const stored = contentOf(await findOwn(context.store.read, context, { id: params.templateId }));
  const content = {
    subject: body.subject === undefined ? stored.subject : body.subject,
    body: body.body === undefined ? stored.body : wholeBody(body.body),
  };
  requireContent(content);
  const { scope } = await sampleOf(context, body);
  const { content: rendered, problems } = renderContent(content, 'event.created', scope.values);
  return context.write(async () => ({ ...rendered, problems }));
}

const target = ({ workspace_id, id, name }: TemplateRow) => ({
  workspaceId: workspace_id,
  target: { type: 'notification_template', id, name },
});
