import { z } from 'zod';
import { declareJob } from '../../../jobs/job-kind.ts';

/** The job that sends a message. Its handler is in `send-notification-job.ts`. */
export const sendNotification = declareJob({
  name: 'send_notification',
  payload: z.object({ workspaceId: z.string(), id: z.string() }),
});
