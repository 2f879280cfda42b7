import type { QuotaStore } from '../../domain/quota.ts';
import type { DueQueue } from '../../domain/deliveries/due-queue.ts';

/** A message to the other processes. The rows decide: a sweep finds the changes that no hint announced. */
export type Hint =
  /** Rows of a workspace or a user have changed: its open streams read them again. */
  | { of: 'changed'; id: string }
  /** Deliveries in a part of a webhook queue are due, or will be. */
  | ({ of: 'due' } & DueQueue)
  /** A job was added, or is due at another time. */
  | { of: 'jobs' };

/** Receives the hints of other processes. */
export interface PeerListener {
  changed(id: string): void;
  due(queues: readonly DueQueue[]): void;
  jobs(): void;
  /** Hints may have been missed: read all rows. */
  sweep(): void;
  /**
   * Processes are gone and have left work: end the leases of these owners, then read all rows. The owners can
   * include earlier names of this process, which keeps what it is working on. Called again if it rejects.
   */
  gone(owners: readonly string[]): Promise<void>;
}

/**
 * The other processes that work on the same database, and what they share besides its tables. Correctness does not depend on it:
 * without it, each process counts limits by itself, and changes are noticed late.
 */
export interface Peers extends QuotaStore {
  /** The time of the database: the clocks of machines differ. */
  clock(): Date;
  /** Joins the others, until the store is closed. */
  join(listener: PeerListener): Promise<void>;
  /** The number of other processes that work on the database now. */
  others(): Promise<number>;
  /**
   * The name on the leases that this process takes now. They are its own as long as it keeps this name. The name changes when the others
   * may think that this process is gone, and when it may hold a lease that it does not know about. `null` while it should take none.
   */
  owner(): string | null;
  /** Sends a hint to the others, soon and together with other hints; call it after the commit. */
  send(hint: Hint): void;
  /**
   * The pause between a transaction that took `tookMs` and the next one, both in milliseconds. With it, all processes together commit as
   * often as a single one would, in batches as large: many small commits cost more than a few large ones. 0 for a single process.
   */
  pauseAfter(tookMs: number): number;
  /**
   * Locks a key that one process can have at a time. Returns the function that unlocks it; `null` while
   * another process has it.
   */
  lock(key: Buffer): Promise<(() => void) | null>;
}
