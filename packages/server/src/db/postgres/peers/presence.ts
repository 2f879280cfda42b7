import { randomBytes } from 'node:crypto';

interface PresenceOptions {
  /** A process that the database has not heard from for this long may count as gone, in milliseconds. */
  silenceMs: number;
  /** A monotonic clock, in milliseconds. */
  elapsed: () => number;
}

// A process stops trusting its leases before the others do, after this fraction of `silenceMs`.
const TRUST = 0.8;
// A process is gone after this many missed heartbeats. By then, a connection that was only cut is back.
const MISSED_MAX = 2;
// A new connection waits for this many heartbeats. By then, the others are back if all connections were cut.
const SETTLED_BEATS = 3;

/** The prefix of owner names that others can see. The name of the process ends at the dot. */
export const PROCESS = 'process-';
const UNSEEN = 'unseen-';

/**
 * Learns from heartbeats which processes are there, including this one. A process is there while it has a connection
 * that the database hears from; one that is missed by two heartbeats in a row is gone.
 */
export class Presence {
  /** Names this process to the others, for as long as it lives. */
  readonly id: string;
  /** The name for leases while the others cannot see this process: nobody ends those. */
  readonly #unseen: string;
  readonly #options: PresenceOptions;
  /** Counts up when leases that were taken before may be lost, or unknown to this process. */
  #leaseEpoch = 1;
  /** The time at which the last heartbeat that succeeded was sent; `null`: the others do not see this process. */
  #seenAt: number | null = null;
  /** The time since which they no longer see it. */
  #awaySince = Number.NEGATIVE_INFINITY;
  /** The time of the database at that heartbeat, in milliseconds since the epoch. */
  #heardAt = Number.POSITIVE_INFINITY;
  /** The number of heartbeats in a row that have missed each of the others. */
  #missed = new Map<string, number>();
  /** The number of heartbeats after which all processes that are alive are back; 0: they are back now. */
  #unsettled = SETTLED_BEATS;
  #shouldFindLostLeases = false;

  constructor(options: PresenceOptions) {
    this.#options = options;
    const name = randomBytes(9).toString('hex');
    this.id = `${PROCESS}${name}`;
    this.#unseen = `${UNSEEN}${name}`;
  }

  /** The name for new leases; `null` until the others see this process again, because nobody would end its leases if it died. */
  owner(): string | null {
    if (this.#seenAt !== null && this.#isTooLong(this.#options.elapsed() - this.#seenAt)) this.leave();
    if (this.#seenAt !== null) return `${this.id}.${this.#leaseEpoch}`;
    const { elapsed, silenceMs } = this.#options;
    return elapsed() - this.#awaySince < silenceMs ? null : this.#unseen;
  }

  /** Notes that this process may count as gone for the others. */
  leave(): void {
    if (this.#seenAt === null) return;
    this.#seenAt = null;
    this.#awaySince = this.#options.elapsed();
    this.doubt();
  }

  /** Notes that nobody knows whether a commit has happened: it may have taken leases that this process does not know of. */
  doubt(): void {
    this.#leaseEpoch += 1;
    this.#shouldFindLostLeases = true;
  }

  /** Notes that this process has connected: those it misses may be about to come back, too. */
  connected(): void {
    this.#missed.clear();
    this.#unsettled = SETTLED_BEATS;
    this.#shouldFindLostLeases = true;
  }

  /** Notes that another process has joined. It may be gone again before a heartbeat has seen it. */
  met(id: string): void {
    if (id.startsWith(PROCESS)) this.#missed.set(id, 0);
  }

  /** Notes a heartbeat that was sent at `sentAt`. At `now` of the database it saw the processes `present`, this one among them. */
  beat(sentAt: number, { now: heardAt, present }: { now: number; present: readonly string[] }): void {
    this.owner();
    // In a paused virtual machine, clocks may stand still, too.
    if (this.#isTooLong(heardAt - this.#heardAt)) this.leave();
    this.#seenAt = sentAt;
    this.#heardAt = heardAt;
    if (this.#unsettled > 0) this.#unsettled -= 1;
    const now = new Set(present);
    for (const [id, missed] of this.#missed) {
      if (now.has(id)) continue;
      this.#missed.set(id, missed + 1);
      if (missed + 1 === MISSED_MAX) this.#shouldFindLostLeases = true;
    }
    for (const id of now) this.#missed.set(id, 0);
  }

  /** Returns the processes whose leases hold, once after another is gone; `null` while there is nothing to look for. */
  survivors(): string[] | null {
    if (!this.#shouldFindLostLeases || this.#unsettled > 0) return null;
    this.#shouldFindLostLeases = false;
    for (const [id, missed] of this.#missed) if (missed >= MISSED_MAX) this.#missed.delete(id);
    return [...this.#missed.keys()];
  }

  #isTooLong(ms: number): boolean {
    return ms > this.#options.silenceMs * TRUST;
  }

  /** Makes `survivors` return them once more, because looking for leases of lost processes failed. */
  lookAgain(): void {
    this.#shouldFindLostLeases = true;
  }
}
