/** Bounds of a number of rows. */
const ROWS = { least: 5, first: 100, most: 1_000 };

/**
 * The number of rows that one step of a removal takes, so that it keeps the one writer that everybody shares for about
 * `targetMs`. It adapts: a row can have a hundred bytes or megabytes, so a fixed number would be slow with small rows or block the
 * server with large ones.
 */
export class StepSize {
  rows = ROWS.first;
  readonly #targetMs: number;

  constructor(targetMs: number) {
    this.#targetMs = targetMs;
  }

  /** Adapts to the time that a step took. */
  adapt(tookMs: number): void {
    const wanted = tookMs > this.#targetMs ? this.rows / 2 : this.rows * 1.5;
    this.rows = Math.round(Math.min(ROWS.most, Math.max(ROWS.least, wanted)));
  }
}

/** Measures work inside a unit, without its wait for the writer. Others wait for the writer while it runs. */
export async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; took: number }> {
  const started = performance.now();
  const result = await work();
  return { result, took: performance.now() - started };
}
