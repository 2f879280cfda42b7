const SAMPLE_MS = 2;

/**
 * Measures how long a thread's own work delays its event loop. The work of other processes on a busy machine is left
 * out.
 */
export class LoopWatch {
  #lags: number[] = [];
  #worked = 0;
  #timer: NodeJS.Timeout | undefined;

  begin(): void {
    globalThis.gc?.();
    this.#sample();
    this.#lags = [];
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS).unref();
  }

  /** The 99th percentile since `begin` of the work between two turns, in milliseconds of the thread's CPU time. */
  end(): number {
    clearInterval(this.#timer);
    const sorted = this.#lags.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  }

  #sample(): void {
    const { user, system } = process.threadCpuUsage();
    this.#lags.push((user + system - this.#worked) / 1_000);
    this.#worked = user + system;
  }
}
