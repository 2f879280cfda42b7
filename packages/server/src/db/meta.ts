import type { Db, Tx } from './core/schema.ts';

/** Reads a value that the database holds about itself; `null` for none. */
export async function readMeta(db: Db, key: string): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

/** Sets or replaces a value. */
export async function writeMeta(tx: Tx, key: string, value: string): Promise<void> {
  await tx
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** Sets a value unless there is one, or another transaction is setting one. Reports whether it was set. */
export async function insertMeta(tx: Tx, key: string, value: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows: rows = 0n } = await tx
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirst();
  return rows > 0n;
}

/** Sets a value unless there is one. Returns the one that is stored. */
export async function claimMeta(tx: Tx, key: string, value: string): Promise<string> {
  await insertMeta(tx, key, value);
  return (await readMeta(tx, key)) ?? value;
}

/** Removes a value. */
export async function removeMeta(tx: Tx, key: string): Promise<void> {
  await tx.deleteFrom('meta').where('key', '=', key).execute();
}
