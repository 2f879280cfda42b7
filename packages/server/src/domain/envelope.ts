import type { Trigger } from '@hubline/contract';
import { RawJson, stringify } from './json.ts';

/** What a webhook call says. Specification, "Webhook delivery envelope". */
export interface Envelope {
  /** The delivery id, the same on every attempt. */
  id: string;
  type: Trigger;
  workspaceId: string;
  /** When it happened. */
  occurredAt: string;
  data: Record<string, unknown>;
  /** The stored event; `null` for the other triggers. */
  eventId: string | null;
}

/**
 * The exact bytes of every attempt. `event.timestamp` is the ISO 8601 string of the specification's "Delivery" 7.
 */
export function encodeEnvelope({ id, type, workspaceId, occurredAt, data, eventId }: Envelope): string {
  return stringify({
    id,
    type,
    created_at: occurredAt,
    workspace_id: workspaceId,
    data,
    event: { id: eventId, timestamp: occurredAt },
  });
}

/** An object that is already JSON text, to put into `data` untouched. */
export function rawPayload(text: string): Record<string, unknown> {
  return new RawJson(text);
}
