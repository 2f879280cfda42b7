/** `setTimeout` fires at once for anything longer. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves after `ms`, or at once when `signal` aborts. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, Math.min(ms, LONGEST_TIMER_MS));
    signal?.addEventListener('abort', wake);
    if (signal?.aborted) wake();
  });
}
