import type { Trigger } from '@hubline/contract';
import type { JsonPiece } from '../json/encoded.ts';

// The body of a webhook call: Specification, "Webhook delivery envelope". Every attempt of a delivery sends the same bytes,
// today and after every upgrade: those of an event are built from the event each time, so this format never changes. A
// second form needs a column that says which form a delivery has.

/** The fields of an event that its envelope shows. */
export interface EventToSend {
  workspaceId: string;
  id: string;
  type: string;
  source: string;
  /** JSON, as it is stored. */
  summary: string;
  /** ISO 8601. */
  occurredAt: string;
  /** Both are `null` for an event that was published without an integration. */
  integrationId: string | null;
  provider: string | null;
}

const TYPE = 'event.created' satisfies Trigger;

/** The parts of a body before and after the payload of its event, which can be 25 MB and is not copied needlessly. */
export interface EnvelopeParts {
  before: string;
  after: string;
}

/**
 * The bodies of the deliveries of an event, which differ in the ID. `event.timestamp` is the ISO 8601 string of the
 * specification, "Delivery" 7.
 */
export function eventBody(event: EventToSend): (deliveryId: string) => EnvelopeParts {
  const { id, workspaceId, occurredAt, integrationId, provider, summary } = event;
  // IDs and times have nothing to escape. `JSON.stringify` of the objects takes a microsecond more for each event (measured).
  const integration = integrationId === null ? 'null' : `"${integrationId}"`;
  const tool = JSON.stringify(provider ?? 'api');
  const source = JSON.stringify(event.source);
  const type = JSON.stringify(event.type);
  const before =
    `"type":"${TYPE}","created_at":"${occurredAt}","workspace_id":"${workspaceId}","data":{` +
    `"integration_id":${integration},"integration_type":${tool},"event_source":${source},"event_id":"${id}","event_type":${type},` +
    `"summary":${summary},"payload":`;
  const after = `},"event":{"id":"${id}","timestamp":"${occurredAt}"}}`;
  return (deliveryId) => ({ before: `{"id":"${deliveryId}",${before}`, after });
}

/** The frozen bytes of an event's delivery. */
export const wholeBody = ({ before, after }: EnvelopeParts, payload: JsonPiece): string =>
  before + String(payload) + after;

/** A message to a webhook that is not an event. */
export interface TriggerMessage {
  type: Trigger;
  workspaceId: string;
  /** ISO 8601. */
  occurredAt: string;
  data: Record<string, unknown>;
}

/** The body of a delivery that has no stored event. */
export const messageBody = (
  deliveryId: string,
  { type, workspaceId, occurredAt, data }: TriggerMessage,
): string =>
  JSON.stringify({
    id: deliveryId,
    type,
    created_at: occurredAt,
    workspace_id: workspaceId,
    data,
    event: { id: null, timestamp: occurredAt },
  });
