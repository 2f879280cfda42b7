import { z } from 'zod';
import { declareJob } from '../../../jobs/job-kind.ts';

/** The job that takes a run from step to step. Its handler enqueues these jobs, too, so the two are in separate files. */
export const automationRun = declareJob({
  name: 'automation_run',
  payload: z.object({ workspace_id: z.string(), run_id: z.string() }),
});
