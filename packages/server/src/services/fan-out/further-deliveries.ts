import { z } from 'zod';

/**
 * The kind of the jobs that store the deliveries for which the unit of an event has no room. Apart from its handler: that uses
 * `new-deliveries.ts`, which enqueues these jobs.
 */
export const furtherDeliveries = {
  name: 'further_deliveries',
  payload: z.object({ workspace_id: z.string(), event_id: z.string(), webhook_ids: z.array(z.string()) }),
};
