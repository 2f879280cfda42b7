import type { WorkContext } from '../../../context.ts';
import type { Tx } from '../../../db/core/schema.ts';

/** The result of an attempt. */
export interface Sent {
  /** The reason why the destination refused the message for good; `null` if it accepted it. */
  refused: string | null;
  /** A remark about the accepted message. */
  note?: string | undefined;
  /** Stores further results, in the transaction that records the attempt. */
  record?: (tx: Tx, work: WorkContext) => Promise<void>;
}
