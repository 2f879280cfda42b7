import type { ListedEvent } from '@hubline/contract/types';

/** A call as the delivery engine makes it: its bytes are made once and are the same on every attempt. */
export interface Outgoing {
  /** The delivery id. */
  readonly id: string;
  /** The trigger name. */
  readonly trigger: string;
  /** The category of the event, such as `push`; `null` for other triggers. */
  readonly type: string | null;
  readonly eventId: string | null;
  readonly body: string;
}

interface Rest {
  /** The source text of the payload. */
  readonly payload: string;
  /** The provider of the event's integration. */
  readonly integrationType: string;
}

/** An event in the envelope of a delivery: the same members in the same order as the server's own engine writes them. */
export function eventEnvelope(event: ListedEvent, { payload, integrationType }: Rest): Outgoing {
  const { event_id: eventId, workspace_id, integration_id, source, type, summary } = event;
  const id = deliveryIdOf(eventId);
  const timestamp = summary.occurred_at ?? event.created_at;
  const data = JSON.stringify({
    integration_id,
    integration_type: integrationType,
    event_source: source,
    event_id: eventId,
    event_type: type,
    summary,
  });
  const members = [
    ...Object.entries({ id, type: 'event.created', created_at: timestamp, workspace_id }).map(
      ([name, value]) => `"${name}":${JSON.stringify(value)}`,
    ),
    `"data":${data.slice(0, -1)},"payload":${payload}}`,
    `"event":${JSON.stringify({ id: eventId, timestamp })}`,
  ];
  return { id, trigger: 'event.created', type, eventId, body: `{${members.join(',')}}` };
}

/** The same event has the same delivery id whenever it is forwarded, so that a receiver can tell a repetition. */
function deliveryIdOf(eventId: string): string {
  return eventId.replace(/^evt_/, 'dlv_');
}
