import { onTestFinished, vi } from 'vitest';

/** Lets pauses of these lengths end at once until the test ends: it shows what the page does after them, and waits for none. */
export function skipPauses(...lengths: readonly number[]): void {
  const { setTimeout } = globalThis;
  const skip = <Given extends unknown[]>(run: (...given: Given) => void, ms?: number, ...given: Given) =>
    setTimeout(run, ms !== undefined && lengths.includes(ms) ? 20 : ms, ...given);
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(skip);
  onTestFinished(() => spy.mockRestore());
}
