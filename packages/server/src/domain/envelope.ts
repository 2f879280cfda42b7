import type { Trigger } from '@hubline/contract';

/** What a webhook call says. Specification, "Webhook delivery envelope". */
export interface Envelope {
  type: Trigger;
  workspaceId: string;
  /** When it happened. */
  occurredAt: string;
  data: Record<string, unknown>;
  /** The stored event, with its payload as the text it came in; `null` for the other triggers. */
  event: { id: string; payload: string } | null;
}

/**
 * The frozen bytes of a delivery as they are stored. The payload of an event is stored once, with the event, and the bodies of
 * its deliveries without it: it can be 25 MB, and there can be thousands of them.
 */
export interface StoredBody {
  /** All of it; where `after_payload` is not `null`, what comes before the payload. */
  body: string;
  after_payload: string | null;
}

/**
 * The bodies of the deliveries of something that happened, which differ in the id. `event.timestamp` is the ISO 8601 string
 * of the specification's "Delivery" 7.
 */
export function encodeEnvelope({
  type,
  workspaceId,
  occurredAt,
  data,
  event,
}: Envelope): (id: string) => StoredBody {
  const head = JSON.stringify({ type, created_at: occurredAt, workspace_id: workspaceId, data }).slice(1, -1);
  const tail = `,"event":${JSON.stringify({ id: event?.id ?? null, timestamp: occurredAt })}}`;
  const [body, after_payload] =
    // The payload is the last member of `data`.
    event ? [`${head.slice(0, -1)},"payload":`, `}${tail}`] : [head + tail, null];
  return (id) => ({ body: `{"id":${JSON.stringify(id)},${body}`, after_payload });
}

/** The frozen bytes of a delivery; `payload` is that of its event. */
export function wholeBody({ body, after_payload: rest }: StoredBody, payload: string | null): string {
  if (rest === null) return body;
  if (payload === null) throw new Error('The payload of a delivery is missing.');
  return body + payload + rest;
}
