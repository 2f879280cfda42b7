import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database, Tx } from './schema.ts';
import { storageError } from './storage-errors.ts';
import { currentUnit, refuseInsideUnit, type Store } from './store.ts';

const { INT8 } = pg.types.builtins;

/** Opens a PostgreSQL database. Every unit is a transaction of its own. */
export function openPostgres(url: string, maxConnections = 10): Store {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 5_000,
    // Sequences and counts stay far below 2^53; as strings they would compare wrongly.
    types: {
      getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
    },
  });
  // An idle connection that the server closes must not end the process: the pool opens another.
  pool.on('error', () => {});

  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const underWay = new Set<Promise<unknown>>();

  return {
    dialect: 'postgres',
    get read() {
      refuseInsideUnit('Store.read');
      return db;
    },
    async write(unit) {
      refuseInsideUnit('Store.write');
      const result = db
        .transaction()
        .execute((tx) => currentUnit.run({}, () => unit(tx as unknown as Tx)))
        .catch((error: unknown) => {
          throw storageError(error);
        });
      underWay.add(result);
      try {
        return await result;
      } finally {
        underWay.delete(result);
      }
    },
    async close() {
      await Promise.allSettled(underWay);
      await db.destroy();
    },
  };
}
