import { z } from 'zod';
import { type RunAgain, defineJob } from '../../jobs/job-kind.ts';
import { keepHouse } from './housekeeping.ts';
import type { RetentionClock } from './retention-clock.ts';

const EVERY_MS = 10 * 60_000;

/** Removes expired rows at intervals, in one of the processes at a time. */
export const housekeepingJob = (retention: RetentionClock, everyMs = EVERY_MS) =>
  defineJob({
    name: 'housekeeping',
    payload: z.object({}),
    everyMs,
    async run(deps, _, { signal }): Promise<RunAgain | void> {
      const { store, log, config } = deps;
      const now = await retention.follow(deps);
      if (now === null) return;
      await keepHouse({ store, log, config, clock: () => now }, signal);
      // After a stop, the next process continues.
      if (signal.aborted) return { againInMs: 0 };
    },
  });
