import { chaos } from '#chaos';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { Cache, useCache } from '../core/cache.ts';
import type { Database, Tx } from '../core/schema.ts';
import { postgresError } from './postgres-error.ts';
import { currentUnit, refuseInsideUnit, type Store } from '../core/store.ts';

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
  // A connection that the server closes must not end the process: who uses it learns it from the query, and an idle one
  // is replaced.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));

  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: translated(pool) }) });
  // Its connections are all there is to ask: nobody tells what other processes have committed.
  const cache = new Cache(() => 0);
  useCache(db, cache, { inUnit: false, shared: true });
  const underWay = new Set<Promise<unknown>>();

  return {
    dialect: 'postgres',
    get read() {
      refuseInsideUnit('Store.read');
      return db;
    },
    async write(unit) {
      refuseInsideUnit('Store.write');
      let keepRead = () => {};
      const result = db.transaction().execute(async (tx) => {
        keepRead = useCache(tx, cache, { inUnit: true, shared: true });
        const value = await currentUnit.run({}, () => unit(tx as unknown as Tx));
        chaos.reach('commit.begun');
        return value;
      });
      underWay.add(result);
      try {
        const value = await result;
        keepRead();
        chaos.reach('commit.done');
        return value;
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

const STATEMENTS_MAX = 500;

/**
 * Names the statements that come again, so that every connection prepares them once: to parse and plan the insert of an event costs
 * PostgreSQL more than to carry it out. What comes once, such as a list of ids of another length each time, gets no name.
 */
class StatementNames {
  readonly #seen = new Map<string, string>();

  of(text: string): string | undefined {
    const name = this.#seen.get(text);
    if (name === undefined && this.#seen.size < STATEMENTS_MAX)
      this.#seen.set(text, `hubline_${this.#seen.size}`);
    return name;
  }
}

/** The pool as Kysely's driver sees it: what is no fault of the query becomes `StorageUnavailable`. */
function translated(pool: pg.Pool): PostgresPool {
  const names = new StatementNames();
  const fail = (error: unknown): never => {
    throw postgresError(error);
  };
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch(fail);
      const query = (text: string, values: readonly unknown[]) =>
        client
          .query({ name: values.length > 0 ? names.of(text) : undefined, text, values: [...values] })
          .catch(fail);
      return {
        // The other form of `query`, with a cursor, needs a cursor in the dialect's options.
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy?: boolean) => client.release(destroy),
      };
    },
    end: () => pool.end(),
  };
}
