import type { Timer } from '../clock/timer.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { EngineDeps, EngineParts } from './engine-parts.ts';
import type { Scheduler } from './scheduler/scheduler.ts';

// Finds deliveries that another process has stored, or had leased when it died. A single process can lose sight of one, too: a wake-up
// after a commit may fail, and the lease of a delivery that could be neither recorded nor returned ends by itself.
const SWEEP_MS = 30_000;

interface SweeperParts extends Pick<EngineParts, 'track' | 'dispatch'> {
  scheduler: Pick<Scheduler, 'expect'>;
  store: Pick<DeliveryStore, 'listDue'>;
  timer: Timer;
}

/** Reads the whole queue every half minute, so that the scheduler knows all open deliveries, whichever process stored them. */
export class Sweeper {
  readonly #deps: Pick<EngineDeps, 'log'>;
  readonly #parts: SweeperParts;
  #closed = true;
  #cancel = () => {};

  constructor(deps: Pick<EngineDeps, 'log'>, parts: SweeperParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  open(): void {
    this.#closed = false;
    this.#sweepLater();
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  /** Sweeps now: another process may have left work. */
  sweep(): void {
    if (!this.#closed) this.#parts.track(this.#sweep());
  }

  /** Tells the scheduler about the open deliveries in the database. */
  async read(): Promise<void> {
    const { store, scheduler } = this.#parts;
    for await (const page of store.listDue())
      for (const due of page) scheduler.expect(due, due.part, due.dueAt);
  }

  async #sweep(): Promise<void> {
    try {
      await this.read();
      this.#parts.dispatch();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the queue could not be swept; trying again');
    }
    this.#sweepLater();
  }

  #sweepLater(): void {
    this.#cancel();
    if (!this.#closed) this.#cancel = this.#parts.timer(() => this.sweep(), SWEEP_MS);
  }
}
