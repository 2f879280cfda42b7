import { sql } from 'kysely';
import { ANY_ROWS, changing } from './core/cache/changing.ts';
import { isCached } from './core/cache/sources.ts';
import type { Database, Db, Tx } from './core/schema.ts';

/** One stored secret, and the key of its row. */
export interface SealedValue {
  sealed: string;
  /** The parts of the key of its row, in the order of `keys`. */
  key: readonly unknown[];
}

/** A column of stored secrets. */
export interface SealedColumn {
  table: keyof Database;
  column: string;
  /** The columns that identify its rows. */
  keys: readonly [string, ...string[]];
}

/** Every column in which secrets are stored. */
export const SEALED_COLUMNS = [
  { table: 'integrations', column: 'credentials', keys: ['id'] },
  { table: 'webhooks', column: 'secret', keys: ['id'] },
  { table: 'webhooks', column: 'previous_secret', keys: ['id'] },
  { table: 'automations', column: 'secret', keys: ['id'] },
  { table: 'oauth_apps', column: 'app', keys: ['workspace_id', 'provider'] },
  { table: 'jobs', column: 'payload', keys: ['kind', 'key'] },
  { table: 'idempotency_keys', column: 'body', keys: ['id'] },
] as const satisfies readonly SealedColumn[];

const SEALED = 'v1.%';

/** Secrets of a column that were sealed with another key than `sealedWith`, up to `limit`, in the order of `keys` after one row. */
export async function listSealed(
  db: Db,
  { table, column, keys }: SealedColumn,
  { after, sealedWith, limit }: { after: readonly unknown[] | null; sealedWith: string; limit: number },
): Promise<SealedValue[]> {
  const names = sql.join(keys.map((key) => sql.ref(key)));
  const current = `v1.${sealedWith}.%`;
  const { rows } = await sql<Record<string, unknown> & { sealed: string }>`
    select ${names}, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${sql.ref(column)} like ${SEALED} and ${sql.ref(column)} not like ${current}
      ${after === null ? sql`` : sql`and (${names}) > (${sql.join(after.map((part) => sql`${part}`))})`}
    order by ${names} limit ${limit}`.execute(db);
  return rows.map((row) => ({ sealed: row.sealed, key: keys.map((key) => row[key]) }));
}

/** Reports whether a column has a secret that was sealed with this key. */
export async function hasSealed(db: Db, { table, column }: SealedColumn, keyId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.table(table)} where ${sql.ref(column)} like ${`v1.${keyId}.%`} limit 1`.execute(db);
  return rows.length > 0;
}

/** Replaces a secret if it is still the one that was read. */
export async function replaceSealed(
  tx: Tx,
  { table, column, keys }: SealedColumn,
  { sealed, key, resealed }: SealedValue & { resealed: string },
): Promise<void> {
  const isRow = sql.join(
    keys.map((name, index) => sql`${sql.ref(name)} = ${key[index]}`),
    sql` and `,
  );
  if (isCached(table)) changing(tx, table, ANY_ROWS);
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${resealed}
    where ${isRow} and ${sql.ref(column)} = ${sealed}`.execute(tx);
}
