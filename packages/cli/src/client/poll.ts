import { setTimeout as sleep } from 'node:timers/promises';

/** A follower asks at this pace; when nothing happens, ever less often. Both stay far below 1,000 requests a minute. */
const FASTEST_MS = 2_000;
const SLOWEST_MS = 10_000;

/** Waits between two looks at something: short while things happen, longer when it is quiet. */
export function pollPause(signal: AbortSignal, fastest = FASTEST_MS): (busy: boolean) => Promise<void> {
  let pause = fastest;
  return async (busy) => {
    pause = busy ? fastest : Math.min(pause * 1.5, SLOWEST_MS);
    await sleep(pause, undefined, { signal });
  };
}
