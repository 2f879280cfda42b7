import { z } from 'zod';
import { defineJob } from '../jobs/job-kind.ts';
import type { ScheduledBackups } from './scheduled-backups.ts';

/** Makes the scheduled backups. The first runs right after the start, so that a mistake in the settings is seen at once. */
export const backupJob = (backups: ScheduledBackups) =>
  defineJob({
    name: 'backup',
    payload: z.object({}),
    everyMs: backups.schedule.everyMs,
    firstInMs: 0,
    run: (deps, _, { signal }) => backups.run(deps, signal),
  });
