import { LIMITS } from '@hubline/contract';
import { chaos } from '#chaos';
import { pause } from '../../clock/timer.ts';
import { STORAGE_RETRY_MS } from '../../clock/waits.ts';
import { StorageUnavailable } from '../../domain/faults/storage-unavailable.ts';
import type { AttemptOutcome, DeliveryStore, EndedAttempt, LeasedDelivery } from '../delivery-store.ts';

interface Unrecorded extends EndedAttempt {
  resolve: (dueAt: number | null) => void;
  reject: (error: unknown) => void;
}

// The number of results that may wait to be recorded before they keep their permits. Those of one webhook are recorded batch by batch, and each
// batch waits for a commit: with small batches, they fell behind while requests brought many events. While it stores a batch, SQLite yields to
// the event loop.
const BATCH_MAX = 256;
// Units that are queued together share a commit. On PostgreSQL each needs a connection.
const BATCHES_AT_ONCE = 4;

/**
 * Records attempts, those of one webhook in the order in which they ended. Attempts of one turn of the event loop share a unit, which costs the
 * same for one as for twenty. While the database cannot store them, it retries: the receivers have responded, and their responses must not
 * be lost.
 */
export class Recorder {
  readonly #store: Pick<DeliveryStore, 'record'>;
  #waiting: Unrecorded[] = [];
  #flushing = false;
  #noRetries = false;

  constructor(store: Pick<DeliveryStore, 'record'>) {
    this.#store = store;
  }

  /** Records an attempt. Resolves to the time at which the delivery is due again; `null` for never. */
  record(delivery: LeasedDelivery, outcome: AttemptOutcome): Promise<number | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ delivery, outcome, resolve, reject });
      if (this.#flushing) return;
      this.#flushing = true;
      setImmediate(() => void this.#flush());
    });
  }

  /** Gives up at the next failure of the database instead of retrying: the leases end by themselves. */
  stopRetrying(): void {
    this.#noRetries = true;
  }

  async #flush(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const some = this.#waiting.splice(0, BATCHES_AT_ONCE * BATCH_MAX);
        await Promise.all(distribute(some).map((share) => this.#recordAll(share)));
      }
    } finally {
      this.#flushing = false;
    }
  }

  async #recordAll(share: Unrecorded[]): Promise<void> {
    while (share.length > 0) await this.#recordBatch(share.splice(0, BATCH_MAX));
  }

  async #recordBatch(batch: Unrecorded[]): Promise<void> {
    const giveUp = performance.now() + LIMITS.attemptTimeoutMs;
    for (;;) {
      try {
        const dues = await this.#store.record(batch);
        chaos.reach('record.committed');
        batch.forEach(({ resolve }, index) => resolve(dues[index] ?? null));
        return;
      } catch (error) {
        if (!(error instanceof StorageUnavailable)) return this.#recordOneByOne(batch, error);
        if (this.#noRetries || performance.now() > giveUp) {
          for (const { reject } of batch) reject(error);
          return;
        }
        await pause(STORAGE_RETRY_MS);
      }
    }
  }

  /** Records each attempt separately: one of them can never be recorded, but the others can. */
  async #recordOneByOne(batch: Unrecorded[], error: unknown): Promise<void> {
    if (batch.length === 1) return batch[0]?.reject(error);
    for (const one of batch) await this.#recordBatch([one]);
  }
}

/**
 * Distributes attempts over the units that run at once, evenly, but with all attempts of a webhook in one: on PostgreSQL these units commit
 * in any order, and a failure must not be recorded after a later success.
 */
function distribute(attempts: readonly Unrecorded[]): Unrecorded[][] {
  if (attempts.length <= BATCH_MAX) return [[...attempts]];
  const shares: Unrecorded[][] = Array.from({ length: BATCHES_AT_ONCE }, () => []);
  const byWebhook = new Map<string, Unrecorded[]>();
  for (const attempt of attempts) {
    const { id } = attempt.delivery.endpoint;
    const share =
      byWebhook.get(id) ?? shares.reduce((least, each) => (each.length < least.length ? each : least));
    byWebhook.set(id, share);
    share.push(attempt);
  }
  return shares;
}
