/**
 * The two parts of a webhook's queue: deliveries that have not been attempted yet, and those that are sent again. They wait separately, so
 * that failed ones do not delay new ones.
 */
export type QueuePart = 'initial' | 'retry';

export const QUEUE_PARTS: readonly QueuePart[] = ['initial', 'retry'];

/** The part in which an open delivery waits. */
export const partOf = ({ status }: { status: string }): QueuePart =>
  status === 'pending' ? 'initial' : 'retry';
