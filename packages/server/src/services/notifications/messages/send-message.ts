import { z } from 'zod';

/** The job that sends a message: its name, and the form in which it is stored. */
export const sendMessage = {
  name: 'send_notification',
  payload: z.object({ workspaceId: z.string(), id: z.string() }),
};
