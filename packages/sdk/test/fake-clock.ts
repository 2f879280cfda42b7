import type { Clock } from '../src/internal/clock.ts';

interface Timer {
  readonly at: number;
  readonly task: () => void;
}

/** Time that passes only when somebody sleeps or a test says so. */
export class FakeClock implements Clock {
  #now = 0;
  readonly #timers = new Set<Timer>();
  /** Every wait that was begun, in milliseconds. */
  readonly sleeps: number[] = [];
  /** Unix milliseconds at the start. */
  epoch = Date.UTC(2026, 0, 1);
  /** What `random` returns. */
  chance = 0;
  /** Whether a sleep passes by itself; otherwise `advance` wakes it. */
  auto = true;

  now(): number {
    return this.#now;
  }

  date(): number {
    return this.epoch + this.#now;
  }

  random(): number {
    return this.chance;
  }

  after(ms: number, task: () => void): () => void {
    const timer = { at: this.#now + ms, task };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    this.sleeps.push(ms);
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const cancel = this.after(ms, resolve);
      signal?.addEventListener('abort', () => {
        cancel();
        resolve();
      });
      if (this.auto) this.advance(ms);
    });
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.task();
    }
  }

  /** Timers that would keep a process alive. */
  get open(): number {
    return this.#timers.size;
  }
}
