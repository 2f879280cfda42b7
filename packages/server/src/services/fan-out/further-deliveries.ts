import { z } from 'zod';
import { declareJob } from '../../jobs/job-kind.ts';

/**
 * The job that stores the deliveries for which the transaction of an event has no room. Its handler imports `new-deliveries.ts`, which
 * enqueues these jobs, so the two are in separate files.
 */
export const furtherDeliveries = declareJob({
  name: 'further_deliveries',
  payload: z.object({ workspace_id: z.string(), event_id: z.string(), webhook_ids: z.array(z.string()) }),
});
