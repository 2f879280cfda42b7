import { onTestFinished, vi } from 'vitest';

/** Ends pauses of these lengths at once, for a test of what follows them that does not wait. */
export function skipPauses(...lengths: readonly number[]): void {
  const { setTimeout } = globalThis;
  const skip = <Given extends unknown[]>(run: (...given: Given) => void, ms?: number, ...given: Given) =>
    setTimeout(run, ms !== undefined && lengths.includes(ms) ? 20 : ms, ...given);
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(skip);
  onTestFinished(() => spy.mockRestore());
}
