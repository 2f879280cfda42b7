import type { Reservation } from '../../limits/byte-budget.ts';
import type { Deps } from '../../context.ts';
import { readPayload } from '../../db/events/events.ts';
import { listEventsAfter } from '../../db/events/list-events.ts';
import type { EventRow } from '../../db/events/event-row.ts';
import { READ_WITH_ROW_BYTES } from '../../db/core/columns/large-text.ts';
import type { Encoded, JsonPiece } from '../../domain/json/encoded.ts';
import type { EventFeed } from './event-feed.ts';
import { EncodedEvent, moreBytes } from './encoded-event.ts';
import type { StreamQuery } from './stream-start.ts';

/** The position of a stream, and its filters. */
export interface StreamPosition {
  workspaceId: string;
  filters: Pick<StreamQuery, 'type' | 'source' | 'since'>;
  /** The last event that the stream has passed. */
  seq: number;
  /** True if payloads are left out. */
  bare: boolean;
}

/** An event that is being sent to streams. */
export interface StreamedEvent {
  seq: number;
  id: string;
  type: string;
  source: string;
  createdAt: string;
  /** The event as it is sent. */
  message: readonly JsonPiece[];
}

/** Writes an event as it is sent. */
type ToMessage = (id: string, event: Encoded<unknown>) => readonly JsonPiece[];

// Small enough that many slow clients can have a batch each. A larger event is its own batch.
const BATCH_BYTES = 1024 * 1024;
const BATCH_ROWS = BATCH_BYTES / READ_WITH_ROW_BYTES;

/**
 * The next events of a stream. Several streams may send the same batch: its memory is held until the last has sent it.
 */
export class EventBatch {
  readonly events: readonly StreamedEvent[];
  readonly #whenSent: () => void;
  #readers = 0;

  constructor(events: readonly StreamedEvent[], whenSent: () => void) {
    this.events = events;
    this.#whenSent = whenSent;
    this.#endIfSent();
  }

  /** Keeps the batch in memory until `release`. */
  hold(): void {
    this.#readers += 1;
  }

  release(): void {
    this.#readers -= 1;
    this.#endIfSent();
  }

  /** Waits for the end of this turn of the event loop: streams that asked together get the batch within it. */
  #endIfSent(): void {
    if (this.#readers === 0) setImmediate(() => this.#readers === 0 && this.#whenSent());
  }
}

/** Reads events for all streams: an event that several of them send is read, encoded and held in memory once. */
export class EventBatches {
  readonly #deps: Pick<Deps, 'store' | 'budgets'>;
  readonly #feed: EventFeed;
  readonly #toMessage: ToMessage;
  readonly #underWay = new Map<string, EventBatch>();

  constructor(deps: Pick<Deps, 'store' | 'budgets'>, feed: EventFeed, toMessage: ToMessage) {
    this.#deps = deps;
    this.#feed = feed;
    this.#toMessage = toMessage;
  }

  /** Reads the next events, oldest first; an empty batch if there are none yet. */
  async next(position: StreamPosition): Promise<EventBatch> {
    // A database server that has taken over may have other events at the same places.
    const key = JSON.stringify([this.#deps.store.timeline?.(), position]);
    return this.#underWay.get(key) ?? this.#read(key, position);
  }

  /** `next`, for streams that wait for the next event: those that ask at the same moment share the query. */
  async nextLive({ workspaceId, seq, bare }: Omit<StreamPosition, 'filters'>): Promise<EventBatch> {
    return this.#feed.share(workspaceId, `${bare ? 'bare events' : 'events'} after ${seq}`, () =>
      this.next({ workspaceId, filters: {}, seq, bare }),
    );
  }

  async #read(key: string, position: StreamPosition): Promise<EventBatch> {
    const { store, budgets } = this.#deps;
    const { workspaceId, filters, seq, bare } = position;
    let room = await budgets.streams.reserve(workspaceId, BATCH_BYTES);
    try {
      const rows = await listEventsAfter(store.read, { ...filters, workspaceId, seq, bare }, BATCH_ROWS);
      const first = moreBytes(rows[0]);
      if (first > room.bytes && !room.resize(first)) {
        room.release();
        room = await budgets.streams.reserve(workspaceId, first);
      }
      return this.#keep(key, await this.#encode(rows), room);
    } catch (error) {
      room.release();
      throw error;
    }
  }

  async #encode(rows: readonly EventRow[]): Promise<StreamedEvent[]> {
    const events: StreamedEvent[] = [];
    let bytes = 0;
    for (const row of rows) {
      if (events.length > 0 && bytes + moreBytes(row) > BATCH_BYTES) break;
      bytes += row.payload_bytes;
      const payload = moreBytes(row) > 0 ? await readPayload(this.#deps.store.read, row) : row.payload;
      events.push({
        seq: row.seq,
        id: row.id,
        type: row.type,
        source: row.source,
        createdAt: row.created_at,
        message: this.#toMessage(row.id, new EncodedEvent(row, payload)),
      });
    }
    return events;
  }

  #keep(key: string, events: readonly StreamedEvent[], room: Reservation): EventBatch {
    let bytes = 0;
    for (const { message } of events) for (const piece of message) bytes += piece.length;
    room.resize(bytes);
    const batch = new EventBatch(events, () => {
      if (this.#underWay.get(key) === batch) this.#underWay.delete(key);
      room.release();
    });
    if (events.length > 0) this.#underWay.set(key, batch);
    return batch;
  }
}
