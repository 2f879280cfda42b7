import { z } from 'zod';
import { touchApiKeys } from '../../db/identity/api-keys.ts';
import { defineJob } from '../../jobs/job-kind.ts';

/** Records the last use of keys. */
export const recordKeyUsageJob = defineJob({
  name: 'record_key_usage',
  /** IDs of keys with the time of their last use, in milliseconds. */
  payload: z.object({ used_at: z.record(z.string(), z.number()) }),
  prefetch: 16,
  run: (deps, { used_at: usedAt }, { finish }) =>
    deps.store.write(async (tx) => {
      const uses = new Map(Object.entries(usedAt).map(([id, ms]) => [id, new Date(ms)]));
      await touchApiKeys(tx, uses, deps.clock());
      await finish(tx);
    }),
});
