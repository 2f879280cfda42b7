import type { Deps } from '../../context.ts';
import { readPayload } from '../../db/events/events.ts';
import type { EventRow } from '../../db/events/event-row.ts';
import { eventScope, type Scope } from '../../domain/conditions/scope.ts';

/** The scope of a stored event. */
export async function scopeOf({ store }: Pick<Deps, 'store'>, event: EventRow): Promise<Scope> {
  const payload = event.payload ?? (await readPayload(store.read, event)) ?? '{}';
  return eventScope('event.created', {
    id: event.id,
    type: event.type,
    source: event.source,
    provider: event.provider,
    integrationId: event.integration_id,
    workspaceId: event.workspace_id,
    summary: event.summary,
    payload,
    occurredAt: event.occurred_at,
    createdAt: event.created_at,
  });
}
