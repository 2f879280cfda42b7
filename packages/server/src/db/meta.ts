import type { Db, Tx } from './core/schema.ts';

/** Reads a fact about the database itself; `null` if it is not known. */
export async function readMeta(db: Db, key: string): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

/** Sets or replaces a fact. */
export async function writeMeta(tx: Tx, key: string, value: string): Promise<void> {
  await tx
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** Sets a fact unless it is known. Returns its value. */
export async function claimMeta(tx: Tx, key: string, value: string): Promise<string> {
  await tx
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await readMeta(tx, key)) ?? value;
}

/** Forgets a fact. */
export async function removeMeta(tx: Tx, key: string): Promise<void> {
  await tx.deleteFrom('meta').where('key', '=', key).execute();
}
