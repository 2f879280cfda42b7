import type { EndpointInput, EndpointOutput, WebhookFilterVerdict } from '@hubline/contract';
import type { z } from 'zod';
import { nextTurn } from '../../clock/timer.ts';
import type { WorkspaceContext } from '../../context.ts';
import { findEvent } from '../../db/events/events.ts';
import { listEvents } from '../../db/events/list-events.ts';
import type { EventRow } from '../../db/events/event-row.ts';
import { findWebhook } from '../../db/webhooks/webhooks.ts';
import { WorkBudget } from '../../domain/conditions/work-budget.ts';
import { storedConditions } from '../../domain/conditions/stored-conditions.ts';
import { refusedBy, resourceIdsOf, type Subscription } from '../../domain/events/subscription.ts';
import type { EventSummary } from '../../domain/events/summary/summary.ts';
import { notFound, throwAll } from '../../domain/faults/fault.ts';
import { conditionFaults } from '../conditions.ts';
import { scopeOf } from '../events/event-scope.ts';
import { subscriptionOf } from '../fan-out/fan-out.ts';

const EVENTS = 20;

/** Tries filters on past events. Nothing is sent or changed. */
export async function testFilters(
  context: WorkspaceContext,
  { params, body }: EndpointInput<'webhooks.testFilters'>,
): Promise<EndpointOutput<'webhooks.testFilters'>> {
  const { read } = context.store;
  const { workspaceId } = context.access;
  throwAll(conditionFaults('filters.conditions', body.filters?.conditions));
  const webhook = await findWebhook(read, workspaceId, params.webhookId);
  if (!webhook) throw notFound('webhook');
  const stored = subscriptionOf(webhook);
  const { filters } = body;
  const subscription: Subscription =
    filters === undefined
      ? stored
      : { events: stored.events, filters, conditions: storedConditions(filters?.conditions) };
  const events = await eventsToTry(context, body.event_ids);
  const data: z.output<typeof WebhookFilterVerdict>[] = [];
  for (const event of events) {
    data.push(await verdictOn(context, event, subscription));
    // Each event may use a whole budget, so other work gets a turn in between.
    await nextTurn();
  }
  return context.write(async () => ({ data }));
}

async function eventsToTry(
  { store: { read }, access: { workspaceId } }: WorkspaceContext,
  ids: readonly string[] | undefined,
): Promise<EventRow[]> {
  if (ids === undefined) {
    const { rows } = await listEvents(read, { workspaceIds: [workspaceId] }, { after: null, limit: EVENTS });
    return rows;
  }
  const events: EventRow[] = [];
  for (const [index, id] of ids.entries()) {
    const event = await findEvent(read, workspaceId, id);
    if (!event) throw notFound('event', `event_ids[${index}]`);
    events.push(event);
  }
  return events.toSorted((a, b) => b.seq - a.seq);
}

async function verdictOn(context: WorkspaceContext, event: EventRow, subscription: Subscription) {
  const summary = JSON.parse(event.summary) as EventSummary;
  const scope = await scopeOf(context, event);
  const occurrence = {
    trigger: 'event.created' as const,
    eventType: event.type,
    source: event.source,
    resourceIds: resourceIdsOf(event.integration_id, summary),
    scope: () => scope,
  };
  const refused = refusedBy(subscription, occurrence);
  return {
    event_id: event.id,
    type: event.type,
    source: event.source,
    created_at: event.created_at,
    matched: refused === null,
    refused_by: refused,
    conditions: subscription.conditions?.explain({ ...scope, budget: new WorkBudget() }) ?? null,
  };
}
