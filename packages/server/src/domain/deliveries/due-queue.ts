import type { QueuePart } from './queue-part.ts';

/** A part of a webhook queue with open deliveries, and when the first of them is due, in milliseconds since the epoch. */
export interface DueQueue {
  webhookId: string;
  workspaceId: string;
  part: QueuePart;
  dueAt: number;
}
