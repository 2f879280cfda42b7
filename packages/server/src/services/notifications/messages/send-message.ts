import { z } from 'zod';

/** The name and payload of the job that sends a message. */
export const sendMessage = {
  name: 'send_notification',
  payload: z.object({ workspaceId: z.string(), id: z.string() }),
};
