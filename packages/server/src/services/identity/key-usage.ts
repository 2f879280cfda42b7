import type { Deps } from '../../context.ts';
import { enqueueNew } from '../../jobs/enqueue.ts';
import { workContext } from '../../work-context.ts';
import { recordKeyUsageJob } from './record-key-usage-job.ts';

// `last_used_at` is exact to the minute: a write for every request would cost more than the request.
const EXACT_TO_MS = 60_000;
// The number of keys for which the last use is remembered. Beyond it, the oldest are forgotten, and recorded again at
// their next use.
const KNOWN_MAX = 10_000;

/** Records when keys were used: the first use at once, later ones at most once a minute. No request waits for it. */
export class KeyUsage {
  readonly #deps: Deps;
  /** The last use of each key that was recorded, in milliseconds, oldest first. */
  readonly #recorded = new Map<string, number>();
  #uses = new Map<string, number>();
  #enqueueing: Promise<void> | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  note(keyId: string, now: Date): void {
    const ms = now.getTime();
    if (Math.abs(ms - (this.#recorded.get(keyId) ?? -Infinity)) < EXACT_TO_MS) return;
    this.#recorded.delete(keyId);
    this.#recorded.set(keyId, ms);
    if (this.#recorded.size > KNOWN_MAX) this.#recorded.delete(this.#recorded.keys().next().value ?? '');
    this.#uses.set(keyId, ms);
    this.#enqueueing ??= this.#enqueueAll();
  }

  /** Enqueues all uses that wait, as far as possible. */
  async stop(): Promise<void> {
    await this.#enqueueing;
    await this.#enqueueAll();
  }

  /** Enqueues all uses that wait as one job. Uses that come in the meantime are the next job. */
  async #enqueueAll(): Promise<void> {
    while (this.#uses.size > 0) {
      const uses = this.#uses;
      this.#uses = new Map();
      const work = workContext(this.#deps);
      const job = {
        kind: recordKeyUsageJob,
        key: this.#deps.ids('request'),
        payload: { used_at: Object.fromEntries(uses) },
      };
      try {
        await work.write((tx) => enqueueNew(tx, work, job));
      } catch (error) {
        this.#deps.log.warn(
          { err: error },
          'the last use of keys could not be stored; it is kept for the next time',
        );
        this.#uses = new Map([...uses, ...this.#uses]);
        break;
      }
    }
    this.#enqueueing = null;
  }
}
