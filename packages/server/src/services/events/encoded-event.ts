import { LIMITS, type ListedEvent as ListedEventSchema } from '@hubline/contract';
import type { z } from 'zod';
import type { EventRow, NewEventRow } from '../../db/events/event-row.ts';
import { bytesOf, Encoded, type JsonPiece } from '../../domain/json/encoded.ts';

type ListedEvent = z.output<typeof ListedEventSchema>;

/** The deliveries of an event, by their status. */
export type DeliveryCounts = ListedEvent['deliveries'];

/** A stored event, with its payload if that is shown. */
type ShownEvent = Omit<NewEventRow, 'payload' | 'provider' | 'dedupe_key'> & {
  /** `null` if it is left out. */
  payload: JsonPiece | null;
  /** The bytes of its payload, if they are known. */
  payload_bytes?: number;
};

/** An event as the API shows it: its payload is the text as received. */
export class EncodedEvent<Shown extends ListedEvent> extends Encoded<Shown> {
  readonly id: string;

  constructor(event: ShownEvent, deliveries?: DeliveryCounts) {
    const { id, payload, summary } = event;
    const [type, source] = [JSON.stringify(event.type), JSON.stringify(event.source)];
    // IDs and times have nothing to escape. `JSON.stringify` of an object takes four times as long, and a page has a hundred events.
    const integration = event.integration_id === null ? 'null' : `"${event.integration_id}"`;
    const before = `{"event_id":"${id}","type":${type},"source":${source},"payload":`;
    const omitted = payload === null ? ',"payload_omitted":true' : '';
    const counts = deliveries === undefined ? '' : `,"deliveries":${JSON.stringify(deliveries)}`;
    const after = `${omitted},"created_at":"${event.created_at}","workspace_id":"${event.workspace_id}","integration_id":${integration},"summary":${summary}${counts}}`;
    const payloadBytes = payload === null ? 'null'.length : (event.payload_bytes ?? bytesOf([payload]));
    // The three texts alone may have characters of several bytes. To count the whole text, V8 would copy it into one piece first.
    const further = furtherBytes(type) + furtherBytes(source) + furtherBytes(summary);
    const bytes = before.length + payloadBytes + after.length + further;
    // One string if possible: pieces are written one by one.
    const shown = payload ?? 'null';
    super(typeof shown === 'string' ? [before + shown + after] : [before, shown, after], bytes);
    this.id = id;
  }
}

/** The bytes of a text beyond one for each of its characters. */
const furtherBytes = (text: string): number => Buffer.byteLength(text) - text.length;

/** Reports whether lists and streams show the payload of an event. */
const isListed = (event: EventRow) => event.payload_bytes <= LIMITS.pageBytes;

/** The bytes that lists and streams read of an event in addition to its row. */
export const moreBytes = (event: EventRow | undefined) =>
  event?.payload === null && isListed(event) ? event.payload_bytes : 0;

/** An event as lists and streams show it; its payload is `null` if it is left out. */
export const toListed = (
  event: EventRow,
  payload: JsonPiece | null,
  deliveries?: DeliveryCounts,
): Encoded<ListedEvent> => new EncodedEvent({ ...event, payload }, deliveries);
