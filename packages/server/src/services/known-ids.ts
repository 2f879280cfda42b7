import { hasActed } from '../db/audit-log.ts';
import { hasDeliveries } from '../db/webhooks/deliveries.ts';
import { findEvent, hasEventsOf } from '../db/events/events.ts';
import { findIntegration } from '../db/integrations/integrations.ts';
import { findMember } from '../db/identity/members.ts';
import { listMessages } from '../db/notifications/messages.ts';
import { findRule } from '../db/notifications/rules.ts';
import type { Db } from '../db/core/schema.ts';
import { findWebhook } from '../db/webhooks/webhooks.ts';
import { notFound } from '../domain/faults/fault.ts';

/** Filters of a list by the ID of a resource. */
interface FilterIds {
  webhook_id?: string | undefined;
  event_id?: string | undefined;
  integration_id?: string | undefined;
  rule_id?: string | undefined;
  actor?: string | undefined;
}

interface Filter {
  noun: string;
  /** Reports whether a workspace has the resource, or had it: the history of deleted resources stays. */
  isKnown: (db: Db, workspaceId: string, id: string) => Promise<boolean>;
}

const FILTERS: Record<keyof FilterIds, Filter> = {
  webhook_id: {
    noun: 'webhook',
    isKnown: async (db, workspaceId, id) =>
      (await findWebhook(db, workspaceId, id)) !== undefined ||
      hasDeliveries(db, workspaceId, { webhookId: id }),
  },
  event_id: {
    noun: 'event',
    isKnown: async (db, workspaceId, id) =>
      (await findEvent(db, workspaceId, id)) !== undefined || hasDeliveries(db, workspaceId, { eventId: id }),
  },
  integration_id: {
    noun: 'integration',
    isKnown: async (db, workspaceId, id) =>
      (await findIntegration(db, workspaceId, id)) !== undefined || hasEventsOf(db, workspaceId, id),
  },
  rule_id: {
    noun: 'notification rule',
    isKnown: async (db, workspaceId, id) =>
      (await findRule(db, workspaceId, id)) !== undefined || hasMessagesOf(db, workspaceId, id),
  },
  actor: {
    noun: 'user',
    isKnown: async (db, workspaceId, id) =>
      (await findMember(db, workspaceId, id)) !== undefined || hasActed(db, workspaceId, id),
  },
};

/** Throws `not_found` for an ID that none of the workspaces has or ever had: an empty list would hide the mistake. */
export async function requireKnown(db: Db, workspaceIds: readonly string[], ids: FilterIds): Promise<void> {
  for (const field of Object.keys(FILTERS) as (keyof FilterIds)[]) {
    const id = ids[field];
    if (id === undefined) continue;
    const { noun, isKnown } = FILTERS[field];
    const known = await Promise.all(workspaceIds.map((workspaceId) => isKnown(db, workspaceId, id)));
    if (!known.includes(true)) throw notFound(noun, field);
  }
}

async function hasMessagesOf(db: Db, workspaceId: string, rule: string): Promise<boolean> {
  const page = { after: null, limit: 1 };
  const { rows } = await listMessages(db, { workspaceId, filter: { rule }, page });
  return rows.length > 0;
}
