/** Everything in the SDK that depends on time or chance, so that tests can decide both. */
export interface Clock {
  /** Monotonic milliseconds: deadlines and pauses must survive a change of the system's clock. */
  now(): number;
  /** Unix time in milliseconds, to read a server's timestamps with. */
  date(): number;
  /** A number from 0 up to, not including, 1. */
  random(): number;
  /** Runs `task` after `ms` unless the returned function is called before. */
  after(ms: number, task: () => void): () => void;
  /** Resolves after `ms`, or at once when `signal` aborts. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** `setTimeout` fires at once for anything longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  random: () => Math.random(),
  after(ms, task) {
    const timer = setTimeout(task, Math.min(ms, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        cancel();
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = systemClock.after(ms, wake);
      signal?.addEventListener('abort', wake);
    });
  },
};
