import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../core/schema.ts';
import type { NumberedTable } from '../../core/statements.ts';
import { EventLoopYield } from '../../../clock/event-loop-yield.ts';

// This many take 20 ms. With fewer, each row costs more, because SQLite copies every page that a statement changes. All at once, 200,000
// events with their deliveries stopped the server for 6 seconds.
const ROWS = 1_000;

export async function deleteMany(tx: Tx, table: NumberedTable, which: RawBuilder<boolean>): Promise<void> {
  const loop = new EventLoopYield();
  for (let left = true; left;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)}
      where seq in (select seq from ${sql.table(table)} where ${which} limit ${ROWS})`.execute(tx);
    left = Number(numAffectedRows) === ROWS;
    if (loop.isDue) await loop.yield();
  }
}
