import type { WorkContext } from '../../context.ts';
import { type Awaitable, andThen } from '../../db/core/awaitable.ts';
import type { Tx } from '../../db/core/schema.ts';
import { storedConditions } from '../../domain/conditions/stored-conditions.ts';
import { listAllWebhooks, type WebhookRow } from '../../db/webhooks/webhooks.ts';
import { matches, type Subscription } from '../../domain/events/subscription.ts';
import { budgetOf, logExceeded } from '../conditions.ts';
import { createDeliveries } from './new-deliveries.ts';
import type { ScopedOccurrence } from './occurrence.ts';

/**
 * Creates one delivery for each matching webhook, in the transaction of the occurrence: both are stored, or neither. A
 * transaction that would be too large stores jobs with the webhooks that match, and these create the deliveries.
 */
export function fanOut(tx: Tx, context: WorkContext, occurrence: ScopedOccurrence): Awaitable<void> {
  return andThen(listAllWebhooks(tx, occurrence.workspaceId), (all) => {
    const webhooks = selectMatching(context, occurrence, all);
    return webhooks.length === 0 ? undefined : createDeliveries(tx, context, { occurrence, webhooks });
  });
}

/** Selects the webhooks whose subscription matches. */
function selectMatching(
  context: WorkContext,
  { trigger, workspaceId, resourceIds, event, data, scope }: ScopedOccurrence,
  webhooks: readonly WebhookRow[],
): WebhookRow[] {
  const kind = event ? { eventType: event.type, source: event.source } : {};
  const facts = { trigger, resourceIds, scope, ...kind };
  const exceeded: string[] = [];
  // A failing webhook gets no delivery about itself: that call would fail, too.
  const own = data['webhook_id'];
  const matching = webhooks.filter((webhook) => {
    if (webhook.id === own) return false;
    const subscription = subscriptionOf(webhook);
    if (subscription.conditions === null) return matches(subscription, facts);
    const budget = budgetOf(context);
    const before = budget.exceeded;
    const matched = matches(subscription, facts);
    if (budget.exceeded > before) exceeded.push(webhook.id);
    return matched;
  });
  if (exceeded.length > 0)
    logExceeded(context, { workspace_id: workspaceId, trigger, event_id: event?.id ?? null }, exceeded);
  return matching;
}

const subscriptions = new WeakMap<WebhookRow, Subscription>();

/** The subscription of a webhook. Its row is the same object for every event until it changes. */
export function subscriptionOf(webhook: WebhookRow): Subscription {
  let subscription = subscriptions.get(webhook);
  if (!subscription) {
    const filters = webhook.filters === null ? null : JSON.parse(webhook.filters);
    subscription = {
      events: JSON.parse(webhook.events) as string[],
      filters,
      conditions: storedConditions(filters?.conditions),
    };
    subscriptions.set(webhook, subscription);
  }
  return subscription;
}
