import type { WorkContext } from '../../../context.ts';
import type { Tx } from '../../../db/core/schema.ts';

/** The result of an attempt. */
export interface Sent {
  /** The reason why the destination did not take it, and will not; `null` if it did. */
  refused: string | null;
  /** A remark about what was taken. */
  note?: string | undefined;
  /** Stores more of it, in the transaction that records the attempt. */
  record?: (tx: Tx, work: WorkContext) => Promise<void>;
}
