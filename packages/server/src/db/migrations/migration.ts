import type { Dialect } from '../core/dialect.ts';
import type { Tx } from '../core/schema.ts';

/** One step of the schema. A step that has been released is never changed. */
export interface Migration {
  /** `NNNN-what`, in the order of application. */
  name: string;
  up(tx: Tx, dialect: Dialect['name']): Promise<void>;
}
