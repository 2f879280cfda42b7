import { onTestFinished, vi } from 'vitest';
import type { Middleware } from '../src/core/transport.ts';

let current: FakeTime | undefined;

/**
 * Fake time for one test. It passes while a call sleeps between its attempts. It stands still while a request is under way,
 * however busy the machine is.
 */
export class FakeTime {
  /** The result of `Math.random`. */
  chance = 0;
  /** True if sleeps end by themselves; otherwise `advance` ends them. */
  auto = true;
  #underWay = 0;
  #ended = false;

  /** The fake time of this test. */
  static get(): FakeTime {
    return (current ??= new FakeTime());
  }

  private constructor() {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'],
      now: Date.UTC(2026, 0, 1),
    });
    vi.spyOn(Math, 'random').mockImplementation(() => this.chance);
    onTestFinished(() => {
      this.#ended = true;
      current = undefined;
      vi.useRealTimers();
      vi.restoreAllMocks();
    });
    void this.#pass();
  }

  async #pass(): Promise<void> {
    while (!this.#ended) {
      await new Promise(setImmediate);
      if (this.auto && this.asleep) vi.advanceTimersToNextTimer();
    }
  }

  /** True if a call sleeps and no request is under way. */
  get asleep(): boolean {
    return !this.#ended && this.#underWay === 0 && this.open > 0;
  }

  advance(ms: number): void {
    vi.advanceTimersByTime(ms);
  }

  /** Timers that would keep a process alive. */
  get open(): number {
    return vi.getTimerCount();
  }

  /** Counts every request as under way, from its beginning to the last byte of its response. */
  readonly middleware: Middleware = async (request, next) => {
    this.#underWay++;
    try {
      const response = await next(request);
      if (response.body) return { ...response, body: this.#counted(response.body) };
      this.#underWay--;
      return response;
    } catch (error) {
      this.#underWay--;
      throw error;
    }
  };

  async *#counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } finally {
      this.#underWay--;
    }
  }
}
