import type { WorkContext } from '../../context.ts';
import type { NewEventRow } from '../../db/events/event-row.ts';
import type { Awaitable } from '../../db/core/awaitable.ts';
import type { Tx } from '../../db/core/schema.ts';
import { resourceIdsOf } from '../../domain/events/subscription.ts';
import type { EventSummary } from '../../domain/events/summary/summary.ts';
import type { Lineage } from '../../domain/events/lineage.ts';
import { fireTrigger } from '../fire-trigger.ts';

/** An event that `recordEvent` has just stored, in this transaction. */
export interface RecordedEvent {
  row: NewEventRow;
  summary: EventSummary;
  /** The automations that led to it; `undefined` for none. */
  lineage: Lineage | undefined;
}

/** Reacts to an event in its transaction: with rows, jobs, or an effect after the commit. */
type EventReaction = (tx: Tx, context: WorkContext, event: RecordedEvent) => Awaitable<void>;

/** All of them, in their order. */
export const EVENT_REACTIONS: readonly EventReaction[] = [fireEventCreated, countEvent, announceEvent];

function fireEventCreated(
  tx: Tx,
  context: WorkContext,
  { row, summary, lineage }: RecordedEvent,
): Awaitable<void> {
  return fireTrigger(tx, context, {
    trigger: 'event.created',
    workspaceId: row.workspace_id,
    data: {},
    resourceIds: resourceIdsOf(row.integration_id, summary),
    event: {
      workspaceId: row.workspace_id,
      id: row.id,
      type: row.type,
      source: row.source,
      summary: row.summary,
      payload: row.payload,
      occurredAt: row.occurred_at,
      integrationId: row.integration_id,
      provider: row.provider,
    },
    severity: summary.severity,
    lineage,
  });
}

function countEvent(tx: Tx, context: WorkContext, { row }: RecordedEvent): Awaitable<void> {
  const { workspace_id: workspaceId, source } = row;
  return context.stats.count(tx, context, [{ workspaceId, source, at: context.clock().getTime() }]);
}

/** Wakes the open streams of the workspace, which send the event. */
function announceEvent(_: Tx, context: WorkContext, { row }: RecordedEvent): void {
  context.afterCommit('announce an event', () => context.announce(row.workspace_id));
}
