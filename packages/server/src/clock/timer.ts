/** Runs a function after `ms` milliseconds. Returns a function that cancels it. */
export type Timer = (run: () => void, ms: number) => () => void;

/** Waits in real time, whichever timer its caller was given. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

export const systemTimer: Timer = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
