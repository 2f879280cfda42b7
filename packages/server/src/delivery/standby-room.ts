import type { Lane } from './lane.ts';

// 10,000 webhooks with an event each, or ten events to 1,000. The bytes are those of payloads, which the deliveries of an event
// share; those of 25 MB wait in the database.
const COUNT_MAX = 16_384;
const BYTES_MAX = 32 * 1024 * 1024;
// Receivers that hang must not fill the room of those that answer.
const LANE_MAX = 256;

/** How much may stand by in memory, those that are being stored included. */
export class StandbyRoom {
  #count = 0;
  #bytes = 0;

  get empty(): boolean {
    return this.#count === 0;
  }

  /** Keeps room for a delivery of a webhook; whether there is any. */
  take(lane: Lane, bytes: number): boolean {
    const free = this.#count < COUNT_MAX && this.#bytes + bytes <= BYTES_MAX && lane.admitted < LANE_MAX;
    if (free) this.#add(lane, 1, bytes);
    return free;
  }

  giveBack(lane: Lane, bytes: number): void {
    this.#add(lane, -1, -bytes);
  }

  #add(lane: Lane, count: number, bytes: number): void {
    lane.admitted += count;
    this.#count += count;
    this.#bytes += bytes;
  }
}
