import { TransientMap } from '../../collections/transient.ts';
import type { LeasedDelivery } from '../delivery-store.ts';

/** A delivery in memory. Its row is leased to this process, and its attempt has not begun. */
export interface Prefetched {
  readonly delivery: LeasedDelivery;
  /** The end of its lease, in milliseconds since the epoch. */
  readonly leaseEnd: number;
  /** The number of the offer that it came with; 0 if it was claimed. */
  readonly offer: number;
}

interface BufferLimits {
  /** The limit for the size of all bodies. The deliveries of one event share its payload, but each counts it in full. */
  bytes: number;
}

// Enough for one event to each of 10,000 webhooks, or for ten events to 1,000.
const ITEMS_MAX = 16_384;
// Receivers that hang must not crowd out those that respond: a webhook may have a sixteenth of the free room, and at least 256. With 256
// alone, a busy webhook fell back to the database and stayed there for as long as it was busy.
const WEBHOOK_SHARE = 16;
const ITEMS_PER_WEBHOOK = 256;

/**
 * Keeps deliveries in memory until they have a permit: new ones, so that no claim is needed, which would cost as much as storing them did,
 * and those of a backlog, so that one claim brings many.
 * It is bounded in items and bytes; deliveries that it does not take wait in the database.
 */
export class PrefetchBuffer {
  /** The limit for the size of all bodies, in bytes. */
  readonly limit: number;
  readonly #queues = new TransientMap<string, Prefetched[]>();
  #items = 0;
  #bytes = 0;
  #refused = 0;
  /** The size of the body that came last, in bytes. */
  #lastBytes = 1_024;

  constructor({ bytes }: BufferLimits = { bytes: 32 * 1024 * 1024 }) {
    this.limit = bytes;
  }

  get items(): number {
    return this.#items;
  }

  /** The size of all bodies in it, in bytes. */
  get used(): number {
    return this.#bytes;
  }

  /** The number of deliveries that were offered and not taken. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * The approximate number of deliveries of a backlog for which there is room: they may fill half of the buffer. Their size is not known before
   * they are claimed, so each counts as much as the last delivery that came. While there is any room, the number is at least one: the last
   * delivery may have been unusually large.
   */
  get roomForBacklog(): number {
    const items = ITEMS_MAX / 2 - this.#items;
    const bytes = this.limit / 2 - this.#bytes;
    if (items <= 0 || bytes <= 0) return 0;
    return Math.min(items, Math.ceil(bytes / this.#lastBytes));
  }

  /** Reports whether a delivery of this size would be taken now. */
  hasRoom(webhookId: string, bytes: number): boolean {
    const queued = this.#queues.get(webhookId)?.length ?? 0;
    const free = ITEMS_MAX - this.#items;
    const isWithinShare = queued < Math.max(ITEMS_PER_WEBHOOK, free / WEBHOOK_SHARE);
    return free > 0 && isWithinShare && this.#bytes + bytes <= this.limit;
  }

  /** Takes in a delivery, behind the others of its webhook; `false` if there is no room. */
  add(prefetched: Prefetched): boolean {
    const { endpoint, bytes } = prefetched.delivery;
    this.#lastBytes = Math.max(1, bytes);
    if (!this.hasRoom(endpoint.id, bytes)) {
      this.#refused += 1;
      return false;
    }
    this.#count(1, bytes);
    const queue = this.#queues.get(endpoint.id);
    if (queue) queue.push(prefetched);
    else this.#queues.set(endpoint.id, [prefetched]);
    return true;
  }

  /** Takes out the oldest deliveries of a webhook, at most `count`. */
  take(webhookId: string, count: number): Prefetched[] {
    const queue = this.#queues.get(webhookId) ?? [];
    return this.#remove(webhookId, queue, Math.min(count, queue.length));
  }

  /** Puts back deliveries that were taken out, before the others of their webhooks. */
  putBack(taken: readonly Prefetched[]): void {
    for (const prefetched of taken.toReversed()) {
      const { endpoint, bytes } = prefetched.delivery;
      this.#count(1, bytes);
      this.#queues.set(endpoint.id, [prefetched, ...(this.#queues.get(endpoint.id) ?? [])]);
    }
  }

  /** Takes out deliveries whose lease ends before a moment, in milliseconds since the epoch. Default: all. */
  takeLeasedUntil(moment = Number.POSITIVE_INFINITY): Prefetched[] {
    return [...this.#queues.entries()].flatMap(([webhookId, queue]) => {
      const later = queue.findIndex(({ leaseEnd }) => leaseEnd >= moment);
      return this.#remove(webhookId, queue, later === -1 ? queue.length : later);
    });
  }

  #remove(webhookId: string, queue: Prefetched[], count: number): Prefetched[] {
    if (count === 0) return [];
    const taken = queue.splice(0, count);
    if (queue.length === 0) this.#queues.delete(webhookId);
    for (const { delivery } of taken) this.#count(-1, -delivery.bytes);
    return taken;
  }

  #count(items: number, bytes: number): void {
    this.#items += items;
    this.#bytes += bytes;
  }
}
