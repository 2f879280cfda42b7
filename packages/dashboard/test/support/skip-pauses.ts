import { onTestFinished, vi } from 'vitest';

/** Lets pauses of these lengths end at once until the test ends: it shows what the page does after them, and waits for none. */
export function skipPauses(...lengths: readonly number[]): void {
  const { setTimeout } = globalThis;
  const skip = (run: () => void, ms?: number) =>
    setTimeout(run, ms !== undefined && lengths.includes(ms) ? 20 : ms);
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(skip);
  onTestFinished(() => spy.mockRestore());
}
