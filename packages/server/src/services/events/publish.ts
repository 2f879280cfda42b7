import type { EndpointInput, Event as EventSchema } from '@hubline/contract';
import type { z } from 'zod';
import type { WorkspaceContext } from '../../context.ts';
import { type Awaitable, andThen } from '../../db/core/awaitable.ts';
import type { Tx } from '../../db/core/schema.ts';
import type { NewEventRow } from '../../db/events/event-row.ts';
import { dialectOf } from '../../db/dialect-of.ts';
import { findIntegration } from '../../db/integrations/integrations.ts';
import { summarize } from '../../domain/events/summary/summarize.ts';
import { notFound } from '../../domain/faults/fault.ts';
import { elementTexts, memberText } from '../../domain/json/json.ts';
import type { RecallWith } from '../idempotency.ts';
import { EncodedEvent } from './encoded-event.ts';
import { get } from './events.ts';
import { type NewEvent, recordEvent } from './record-event.ts';

type Event = z.output<typeof EventSchema>;
type Published = EndpointInput<'events.publish'>['body'];

export async function publish(context: WorkspaceContext, { body }: EndpointInput<'events.publish'>) {
  const { workspaceId } = context.access;
  return context.write(
    async (tx) => {
      const { integration_id: id } = body;
      const integration = id === undefined ? null : await findOwn(tx, workspaceId, { id, field: '' });
      const row = await publishOne(tx, context, { event: body, text: context.bodyText, integration });
      return new EncodedEvent<Event>(row, row.payload);
    },
    { addsTo: workspaceId },
  );
}

/** Rebuilds the response to a publication. That works for as long as the event is kept, because events never change. */
export const recallPublished: RecallWith = {
  idOf: (event) => (event as EncodedEvent<Event>).id,
  find: (context, eventId) => get(context, { params: { id: context.access.workspaceId, eventId } }),
};

// The events of a batch that PostgreSQL receives in one statement. They begin in their order, which becomes that of
// `seq`. All their deliveries are in memory at once: a thousand for each event if there are a thousand webhooks. After these, SQLite yields
// to the event loop, so that webhook calls go on: a hundred events take it several milliseconds.
const SIDE_BY_SIDE = 20;

export async function publishBatch(
  context: WorkspaceContext,
  { body }: EndpointInput<'events.publishBatch'>,
) {
  const { workspaceId } = context.access;
  const texts = elementTexts(memberText(context.bodyText, ['events']) ?? '[]');
  return context.write(
    async (tx) => {
      const integrations: Awaited<ReturnType<typeof findOwn>>[] = [];
      for (const [index, { integration_id: id }] of body.events.entries())
        integrations.push(await findOwn(tx, workspaceId, { id, field: `events[${index}].` }));
      const data: { event_id: string }[] = [];
      for (let start = 0; start < body.events.length; start += SIDE_BY_SIDE) {
        if (start > 0) await dialectOf(tx).yieldToEventLoop();
        const some = body.events.slice(start, start + SIDE_BY_SIDE);
        const rows = await Promise.all(
          some.map(async (event, index) =>
            publishOne(tx, context, {
              event,
              text: texts[start + index] ?? '{}',
              integration: integrations[start + index] ?? null,
            }),
          ),
        );
        for (const { id } of rows) data.push({ event_id: id });
      }
      return { data };
    },
    { addsTo: workspaceId },
  );
}

interface EventToPublish {
  event: Published;
  /** The JSON text of the event in the request, from which the payload is cut out unchanged. */
  text: string;
  integration: NewEvent['integration'];
}

function publishOne(
  tx: Tx,
  context: WorkspaceContext,
  { event, text, integration }: EventToPublish,
): Awaitable<NewEventRow> {
  const recording = recordEvent(tx, context, {
    workspaceId: context.access.workspaceId,
    integration,
    type: event.type,
    source: event.source,
    payload: memberText(text, ['payload']) ?? '{}',
    // Only the publisher knows when it happened; a time in the payload may mean anything.
    summary: { ...summarize(event.type, event.payload), occurred_at: event.occurred_at ?? null },
    dedupeKey: null,
    occurredAt: event.occurred_at ?? null,
  });
  return andThen(recording, (recorded) => {
    if (recorded.duplicate) throw new Error('A published event has no dedupe key and cannot be a duplicate.');
    return recorded.row;
  });
}

/** The integration that an event names; `null` for none. */
export async function findOwn(
  tx: Tx,
  workspaceId: string,
  { id, field }: { id: string | undefined; field: string },
): Promise<NewEvent['integration']> {
  if (id === undefined) return null;
  const row = await findIntegration(tx, workspaceId, id);
  if (!row) throw notFound('integration', `${field}integration_id`);
  return { id: row.id, provider: row.provider };
}
