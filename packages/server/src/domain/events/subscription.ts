import type { Trigger } from '@hubline/contract';
import type { EventSummary } from './summary.ts';

/** The events and filters of a webhook. */
export interface Subscription {
  /** Trigger names, or `*`. */
  events: readonly string[];
  filters: {
    event_types?: string[] | undefined;
    sources?: string[] | undefined;
    resource_ids?: string[] | undefined;
  } | null;
}

/** Something that happened, as far as subscriptions care. */
export interface Occurrence {
  trigger: Trigger;
  /** The category and source of an event; absent for the other triggers. */
  eventType?: string;
  source?: string;
  /** Ids that `filters.resource_ids` may name. */
  resourceIds: readonly string[];
}

/** Reports whether a webhook gets a delivery of it. Every filter that is given must match; a missing value matches none. */
export function matches({ events, filters }: Subscription, occurrence: Occurrence): boolean {
  if (!events.includes('*') && !events.includes(occurrence.trigger)) return false;
  if (filters === null) return true;
  const { event_types: types, sources, resource_ids: ids } = filters;
  if (types && !(occurrence.eventType !== undefined && types.includes(occurrence.eventType))) return false;
  if (sources && !(occurrence.source !== undefined && sources.includes(occurrence.source))) return false;
  if (ids && !occurrence.resourceIds.some((id) => ids.includes(id))) return false;
  return true;
}

/** The ids of an event that a filter may name: its integration, its subject and its container. */
export function resourceIdsOf(integrationId: string | null, summary: EventSummary): string[] {
  return [integrationId, summary.subject?.id, summary.container?.id].filter((id) => id != null);
}
