import type { WorkContext } from '../../context.ts';
import { type Awaitable, andThen } from '../../db/core/awaitable.ts';
import type { Tx } from '../../db/core/schema.ts';
import type { NewEventRow } from '../../db/events/event-row.ts';
import { findEventByDedupeKey, insertEvent } from '../../db/events/events.ts';
import { lockWorkspace } from '../../db/workspaces/workspaces.ts';
import type { Lineage } from '../../domain/events/lineage.ts';
import { type EventSummary, summaryJson } from '../../domain/events/summary/summary.ts';
import type { JsonPiece } from '../../domain/json/encoded.ts';
import { isoTime } from '../../domain/time.ts';
import { EVENT_REACTIONS, type RecordedEvent } from './reactions.ts';

/** An event to store. */
export interface NewEvent {
  workspaceId: string;
  integration: { id: string; provider: string } | null;
  type: string;
  source: string;
  /** JSON text of an object, kept as it is. */
  payload: JsonPiece;
  summary: EventSummary;
  dedupeKey: string | null;
  /** The time at which it happened; default: now. */
  occurredAt: string | null;
  /** The automations that led to it. Default: none. */
  lineage?: Lineage;
}

/** The result of storing a new event: an integration's second call with the same dedupe key makes no second event. */
export type Recorded = { duplicate: false; row: NewEventRow } | { duplicate: true; id: string };

/**
 * Stores an event and everything that the reactions to it add, in one transaction. The workspace is locked first, so that
 * the order of `seq` is the order of commits, which a resuming stream relies on.
 */
export function recordEvent(tx: Tx, context: WorkContext, event: NewEvent): Awaitable<Recorded> {
  const now = isoTime(context.now.getTime());
  const { integration, dedupeKey } = event;
  const id = context.ids('event');
  const row = {
    id,
    workspace_id: event.workspaceId,
    integration_id: integration?.id ?? null,
    type: event.type,
    source: event.source,
    provider: integration?.provider ?? null,
    payload: event.payload,
    summary: summaryJson(event.summary),
    // Every event of an integration has one: their index is how a deleted integration is still found by its events (`hasEventsOf`).
    dedupe_key: dedupeKey ?? (integration && id),
    occurred_at: event.occurredAt ?? event.summary.occurred_at ?? now,
    created_at: now,
  };
  const recorded: Recorded = { duplicate: false, row };
  const stored = { row, summary: event.summary, lineage: event.lineage };
  return andThen(lockWorkspace(tx, event.workspaceId), () => {
    const inserting = insertEvent(tx, row);
    // Only an event with a key can be a duplicate. All others are sent to the database together with the statements of
    // the reactions to them.
    if (dedupeKey !== null)
      return andThen(inserting, (isNew) =>
        isNew ? andThen(react(tx, context, stored), () => recorded) : duplicateOf(tx, integration, dedupeKey),
      );
    if (!(inserting instanceof Promise)) return andThen(react(tx, context, stored), () => recorded);
    const reacting = async () => react(tx, context, stored);
    return Promise.all([inserting, reacting()]).then(() => recorded);
  });
}

/** Runs the reactions to an event, one after the other. */
function react(tx: Tx, context: WorkContext, stored: RecordedEvent): Awaitable<void> {
  let reacting: Awaitable<void> = undefined;
  for (const reaction of EVENT_REACTIONS) reacting = andThen(reacting, () => reaction(tx, context, stored));
  return reacting;
}

/** The event that an integration already has with this key. */
async function duplicateOf(
  tx: Tx,
  integration: NewEvent['integration'],
  dedupeKey: string,
): Promise<Recorded> {
  const id = integration && (await findEventByDedupeKey(tx, integration, dedupeKey));
  if (!id) throw new Error('An event was refused as a duplicate, and there is no first one.');
  return { duplicate: true, id };
}
