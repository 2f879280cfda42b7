import { LIMITS } from '@hubline/contract';
import { chaos } from '#chaos';
import { StorageUnavailable } from '../domain/faults/storage-unavailable.ts';
import type { Job } from '../job.ts';
import { type AttemptOutcome, recordAttempts } from '../services/delivery-work.ts';

interface Unrecorded {
  job: Job;
  outcome: AttemptOutcome;
  resolve: (dueAt: string | null) => void;
  reject: (error: unknown) => void;
}

const RETRY_MS = 1_000;

/**
 * Records attempts in the order in which they ended. Those of one turn of the loop share a transaction, which costs the same for one
 * as for twenty. While the database cannot take them, it tries again: the receivers have answered, and that must not be lost.
 */
export class Recorder {
  readonly #deps: Parameters<typeof recordAttempts>[0];
  #waiting: Unrecorded[] = [];
  #flushing = false;
  #impatient = false;

  constructor(deps: Parameters<typeof recordAttempts>[0]) {
    this.#deps = deps;
  }

  /** Records an attempt; when the delivery is due again, `null` for never. */
  record(job: Job, outcome: AttemptOutcome): Promise<string | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, outcome, resolve, reject });
      if (this.#flushing) return;
      this.#flushing = true;
      setImmediate(() => void this.#flush());
    });
  }

  /** From now on a database that cannot take a record is not waited for: the leases will end by themselves. */
  hurry(): void {
    this.#impatient = true;
  }

  async #flush(): Promise<void> {
    try {
      while (this.#waiting.length > 0) await this.#store(this.#waiting.splice(0));
    } finally {
      this.#flushing = false;
    }
  }

  async #store(batch: Unrecorded[]): Promise<void> {
    const giveUp = performance.now() + LIMITS.attemptTimeoutMs;
    for (;;) {
      try {
        const dues = await recordAttempts(this.#deps, batch);
        chaos.reach('record.committed');
        batch.forEach(({ resolve }, index) => resolve(dues[index] ?? null));
        return;
      } catch (error) {
        if (!(error instanceof StorageUnavailable)) return this.#storeApart(batch, error);
        if (this.#impatient || performance.now() > giveUp) {
          for (const { reject } of batch) reject(error);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** One of them cannot be recorded, ever; the others must not share its fate. */
  async #storeApart(batch: Unrecorded[], error: unknown): Promise<void> {
    if (batch.length === 1) return batch[0]?.reject(error);
    for (const one of batch) await this.#store([one]);
  }
}
