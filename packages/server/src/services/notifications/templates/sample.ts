import type { EndpointInput, NotificationTrigger } from '@hubline/contract';
import type { WorkspaceContext } from '../../../context.ts';
import { findEvent } from '../../../db/events/events.ts';
import { listEvents } from '../../../db/events/list-events.ts';
import { eventScope, plainScope, type Scope } from '../../../domain/conditions/scope.ts';
import { summarize } from '../../../domain/events/summary/summarize.ts';
import type { EventSummary } from '../../../domain/events/summary/summary.ts';
import { invalid, notFound, unprocessable } from '../../../domain/faults/fault.ts';
import { memberText } from '../../../domain/json/json.ts';
import type { Fact } from '../../../domain/notifications/rule.ts';
import { scopeOf } from '../../events/event-scope.ts';
import { sampleData } from '../../sample-data.ts';
import { withWorkspace } from './scope.ts';

type Wanted = Pick<EndpointInput<'notificationRules.test'>['body'], 'event_id' | 'event'>;

/** An event for a preview or a dry run. */
interface Sample {
  /** `null` for a made-up event. */
  eventId: string | null;
  fact: Fact;
  scope: Scope;
}

/**
 * The event for a preview or a dry run: a stored one, a made-up one, or the newest. For another trigger, made-up data
 * if the request has no event.
 */
export async function sampleOf(
  context: WorkspaceContext,
  { event_id: id, event }: Wanted,
  trigger: NotificationTrigger = 'event.created',
): Promise<Sample> {
  if (id !== undefined && event !== undefined) throw invalid('event', 'must be left out with event_id');
  const data = id === undefined && event === undefined ? sampleData(trigger, context.now) : undefined;
  if (data)
    return { eventId: null, fact: { trigger }, scope: await inWorkspace(context, plainScope(trigger, data)) };
  const { facts, scope } = event === undefined ? await stored(context, id) : madeUp(context, event);
  const { type, source, integrationId, severity } = facts;
  return {
    eventId: facts.id,
    fact: { trigger: 'event.created', type, source, integrationId, severity },
    scope: await inWorkspace(context, scope),
  };
}

async function inWorkspace(context: WorkspaceContext, scope: Scope): Promise<Scope> {
  const found = await withWorkspace(context, context.access.workspaceId, scope);
  if (!found) throw notFound('workspace');
  return found;
}

async function stored(context: WorkspaceContext, id: string | undefined) {
  const { workspaceId } = context.access;
  const event =
    id === undefined ? await newest(context) : await findEvent(context.store.read, workspaceId, id);
  if (!event) throw notFound('event', 'event_id');
  const { severity } = JSON.parse(event.summary) as EventSummary;
  return {
    facts: {
      id: event.id,
      type: event.type,
      source: event.source,
      integrationId: event.integration_id,
      severity,
    },
    scope: await scopeOf(context, event),
  };
}

async function newest({ store, access: { workspaceId } }: WorkspaceContext) {
  const { rows } = await listEvents(store.read, { workspaceIds: [workspaceId] }, { after: null, limit: 1 });
  const [event] = rows;
  if (event) return event;
  const issue = 'is required: the workspace has no event yet; give one as event';
  throw unprocessable('event_id', issue);
}

function madeUp(context: WorkspaceContext, { type, source, payload }: NonNullable<Wanted['event']>) {
  const summary = summarize(type, payload);
  const now = context.now.toISOString();
  const facts = { id: null, type, source, integrationId: null, severity: summary.severity };
  const scope = eventScope('event.created', {
    id: context.ids('event'),
    type,
    source,
    provider: null,
    integrationId: null,
    workspaceId: context.access.workspaceId,
    summary: JSON.stringify(summary),
    payload: memberText(context.bodyText, ['event', 'payload']) ?? '{}',
    occurredAt: now,
    createdAt: now,
  });
  return { facts, scope };
}
