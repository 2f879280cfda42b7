import { z } from 'zod';

/**
 * The kind of the jobs that store the deliveries for which the transaction of an event has no room. The handler has a file of its own,
 * because it imports `new-deliveries.ts`, which enqueues these jobs.
 */
export const furtherDeliveries = {
  name: 'further_deliveries',
  payload: z.object({ workspace_id: z.string(), event_id: z.string(), webhook_ids: z.array(z.string()) }),
};
