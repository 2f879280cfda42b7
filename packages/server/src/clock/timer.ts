import { setTimeout as wait } from 'node:timers/promises';

/** Runs a function after `ms` milliseconds. Returns a function that cancels it. */
export type Timer = (run: () => void, ms: number) => () => void;

/** Waits in real time, whichever timer its caller was given. Rejects as soon as `signal` is aborted. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  signal
    ? wait(ms, undefined, { signal })
    : new Promise((resolve) => {
        setTimeout(resolve, ms);
      });

/** Waits for the next turn of the event loop, so that input from the network and the disk is handled first. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Waits for work, at most `ms` milliseconds in real time. Resolves to whether it has ended. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

export const systemTimer: Timer = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
