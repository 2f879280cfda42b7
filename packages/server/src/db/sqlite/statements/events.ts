import type { Tx } from '../../core/schema.ts';
import type { EventInsert } from '../../core/statements.ts';
import { insertAlone } from '../../events/insert-alone.ts';

export const insertEvent = async (tx: Tx, row: EventInsert): Promise<boolean> =>
  (await insertAlone(tx, row)).rows > 0;
