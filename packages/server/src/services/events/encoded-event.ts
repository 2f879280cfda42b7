import { LIMITS, type ListedEvent as ListedEventSchema } from '@hubline/contract';
import type { z } from 'zod';
import type { EventRow, NewEventRow } from '../../db/events/event-row.ts';
import { bytesOf, Encoded, type JsonPiece } from '../../domain/json/encoded.ts';

type ListedEvent = z.output<typeof ListedEventSchema>;

/** The deliveries of an event, by their status. */
export type DeliveryCounts = ListedEvent['deliveries'];

/** A stored event without its payload. */
type StoredEvent = Omit<NewEventRow, 'payload' | 'provider' | 'dedupe_key'> & {
  /** The bytes of its payload, if they are known. */
  payload_bytes?: number;
};

/** The text of a field as JSON. The last one is kept: events that are shown together have few types and sources. */
class TextField {
  #text: string | undefined;
  json = '';
  furtherBytes = 0;

  write(text: string): this {
    if (text !== this.#text) {
      this.#text = text;
      this.json = JSON.stringify(text);
      this.furtherBytes = furtherBytes(this.json);
    }
    return this;
  }
}

const types = new TextField();
const sources = new TextField();

/** An event as the API shows it. Its payload is the text as received; lists and streams leave it out if it is `null`. */
export class EncodedEvent<Shown extends ListedEvent> extends Encoded<Shown> {
  readonly id: string;

  constructor(event: StoredEvent, payload: JsonPiece | null, deliveries?: DeliveryCounts) {
    const { id, summary } = event;
    const [type, source] = [types.write(event.type), sources.write(event.source)];
    // IDs and times have nothing to escape. `JSON.stringify` of an object takes four times as long, and a page has a hundred events.
    const integration = event.integration_id === null ? 'null' : `"${event.integration_id}"`;
    const before = `{"event_id":"${id}","type":${type.json},"source":${source.json},"payload":`;
    const omitted = payload === null ? ',"payload_omitted":true' : '';
    const counts = deliveries === undefined ? '' : `,"deliveries":${JSON.stringify(deliveries)}`;
    const after = `${omitted},"created_at":"${event.created_at}","workspace_id":"${event.workspace_id}","integration_id":${integration},"summary":${summary}${counts}}`;
    const payloadBytes = payload === null ? 'null'.length : (event.payload_bytes ?? bytesOf([payload]));
    // The three texts alone may have characters of several bytes. To count the whole text, V8 would copy it into one piece first.
    const further = type.furtherBytes + source.furtherBytes + furtherBytes(summary);
    const bytes = before.length + payloadBytes + after.length + further;
    // One string if possible: pieces are written one by one.
    const shown = payload ?? 'null';
    super(typeof shown === 'string' ? [before + shown + after] : [before, shown, after], bytes);
    this.id = id;
  }
}

/** The bytes of a text beyond one for each of its characters. */
function furtherBytes(text: string): number {
  return Buffer.byteLength(text) - text.length;
}

/** Reports whether lists and streams show the payload of an event. */
const isListed = (event: EventRow) => event.payload_bytes <= LIMITS.pageBytes;

/** The bytes that lists and streams read of an event in addition to its row. */
export const moreBytes = (event: EventRow | undefined) =>
  event?.payload === null && isListed(event) ? event.payload_bytes : 0;
