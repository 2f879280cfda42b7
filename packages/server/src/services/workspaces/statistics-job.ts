import { z } from 'zod';
import { newestTally } from '../../db/workspaces/stats-tallies.ts';
import { type RunAgain, defineJob } from '../../jobs/job-kind.ts';
import { addUp } from './add-up-stats.ts';

// Statistics on disk lag about this far behind; a read adds up the rest first. The longer, the more counts of a webhook are merged before
// they are added up.
export const ADD_UP_EVERY_MS = 2_000;

/** Adds up the counts so far, and waits for more if some have come meanwhile. */
export const statisticsJob = defineJob({
  name: 'statistics',
  payload: z.object({}),
  async run({ store }, _, { signal, finish }): Promise<RunAgain | void> {
    let again: RunAgain | undefined = { againInMs: 0 };
    await addUp(store, await newestTally(store.read), {
      isStopped: () => signal.aborted,
      async atEnd(tx) {
        const isMore = (await newestTally(tx)) > 0;
        again = isMore ? { againInMs: ADD_UP_EVERY_MS } : undefined;
        if (!isMore) await finish(tx);
      },
    });
    return again;
  },
});
