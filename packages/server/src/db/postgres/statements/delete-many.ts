import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../core/schema.ts';
import type { NumberedTable } from '../../core/statements.ts';

export async function deleteMany(tx: Tx, table: NumberedTable, which: RawBuilder<boolean>): Promise<void> {
  await sql`delete from ${sql.table(table)} where ${which}`.execute(tx);
}
