import { NAMED_TRIGGERS, type Trigger, type WebhookFilterVerdict } from '@hubline/contract';
import type { z } from 'zod';
import type { Conditions } from '../conditions/conditions.ts';
import type { Scope } from '../conditions/scope.ts';
import type { EventSummary } from './summary/summary.ts';

/** The events and filters of a webhook. */
export interface Subscription {
  /** Trigger names, or `*`. */
  events: readonly string[];
  filters: {
    event_types?: string[] | undefined;
    sources?: string[] | undefined;
    resource_ids?: string[] | undefined;
  } | null;
  conditions: Conditions | null;
}

/** The part of an occurrence that subscriptions match. */
export interface SubscriptionFacts {
  trigger: Trigger;
  /** The type and source of an event; absent for the other triggers. */
  eventType?: string;
  source?: string;
  /** IDs that `filters.resource_ids` may name. */
  resourceIds: readonly string[];
  /** The values that conditions may name, made when the first of them asks. */
  scope: () => Scope;
}

const NAMED: ReadonlySet<string> = new Set(NAMED_TRIGGERS);

/** A part of a subscription. */
type FilterName = NonNullable<z.output<typeof WebhookFilterVerdict>['refused_by']>;

/** Reports whether a webhook gets a delivery. Every filter that is given must match; a missing value matches none. */
export const matches = (subscription: Subscription, facts: SubscriptionFacts): boolean =>
  refusedBy(subscription, facts) === null;

/** The first part of a subscription that does not match; `null` if all do. */
export function refusedBy(
  { events, filters, conditions }: Subscription,
  facts: SubscriptionFacts,
): FilterName | null {
  const { trigger } = facts;
  if (!events.includes(trigger) && (NAMED.has(trigger) || !events.includes('*'))) return 'events';
  if (filters === null) return null;
  const { event_types: types, sources, resource_ids: ids } = filters;
  if (types && !(facts.eventType !== undefined && types.includes(facts.eventType))) return 'event_types';
  if (sources && !(facts.source !== undefined && sources.includes(facts.source))) return 'sources';
  if (ids && !facts.resourceIds.some((id) => ids.includes(id))) return 'resource_ids';
  return conditions === null || conditions.matches(facts.scope()) ? null : 'conditions';
}

/** The IDs of an event that a filter may name: its integration, its subject and its container. */
export function resourceIdsOf(integrationId: string | null, summary: EventSummary): string[] {
  return [integrationId, summary.subject?.id, summary.container?.id].filter((id) => id != null);
}
