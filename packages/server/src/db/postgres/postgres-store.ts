import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { TransientSet } from '../../collections/transient.ts';
import { useCache } from '../core/cache/cache.ts';
import { Connection } from './transactions/connection.ts';
import { Gate } from './transactions/gate.ts';
import { GroupQueue } from './transactions/group-queue.ts';
import { type Ask, PostgresCache } from './postgres-cache.ts';
import { PostgresPeers } from './peers/postgres-peers.ts';
import { LockTimeout } from './transactions/lock-timeout.ts';
import { StatementNames } from './statement-names.ts';
import { runAlone } from './transactions/transaction.ts';
import type { Database } from '../core/schema.ts';
import { allConnectionsInUse, connectError, postgresError } from './postgres-error.ts';
import { refuseInsideUnit, type Store } from '../core/store.ts';

export interface PostgresOptions {
  /** The most connections. Default 10. */
  connections?: number;
  /** The time that the units of a group may take without a query, in milliseconds. */
  groupMs?: number;
  /** The time without an answer after which the connections to the database are given up, in milliseconds. Default 10,000. */
  silenceMs?: number;
  /** Called with the number of units that add to a workspace and shared a commit. */
  onCommit?: ((units: number) => void) | undefined;
}

const { INT8 } = pg.types.builtins;

// A process that stops in a transaction, as on a frozen machine, holds locks that others wait for. The others are defaults that an
// administrator may have changed: transactions would not see what was committed while they waited for their locks, and strings would be
// read differently.
const SETTINGS = `
  set idle_in_transaction_session_timeout = 10000;
  set default_transaction_isolation = 'read committed';
  set standard_conforming_strings = on`;

// A group may have to store payloads of many megabytes. One that makes no query for longer hangs.
const GROUP_MS = 30_000;

const CONNECT_MS = 5_000;

/** Opens a PostgreSQL database. Units that add to a workspace share transactions. Every other unit has its own. */
export function openPostgres(
  url: string,
  { connections = 10, groupMs = GROUP_MS, silenceMs, onCommit }: PostgresOptions = {},
): Store {
  const one = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    // Sequences and counts stay far below 2^53; as strings they would compare wrongly.
    types: {
      getTypeParser: ((oid, format) =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
  const pool = new pg.Pool({
    ...one,
    max: connections,
    // Statements are sent without waiting for earlier results.
    pipeline: true,
  });
  // A connection that the server closes must not end the process: its user learns of it from the query, and an idle one
  // is replaced.
  pool.on('error', () => {});
  const clients = new Set<pg.PoolClient>();
  pool.on('remove', (client) => clients.delete(client));
  pool.on('connect', (client) => {
    clients.add(client);
    client.on('error', () => {});
    // Not a connection parameter, because a pooler in between may refuse it. Whoever first uses a broken connection gets the error.
    client.query(SETTINGS).catch(() => {});
    // Sent before anything else, so the answer comes before a statement has been repeated.
    lockTimeout.setUp(client).then(
      (isPooled) => isPooled && names.turnOff(),
      () => {},
    );
  });

  /** Lends a connection. One that comes too late while all are in use says nothing about the network. */
  const borrow = (): Promise<pg.PoolClient> =>
    pool.connect().catch((error: unknown) => {
      const allInUse = pool.totalCount >= connections && clients.size === pool.totalCount;
      throw connectError(allInUse ? allConnectionsInUse(connections, CONNECT_MS) : error);
    });

  const lockTimeout = new LockTimeout();
  const names = new StatementNames();
  const cache = new PostgresCache();
  const known = new WeakMap<pg.PoolClient, Connection>();
  const onDoubt = () => peers.doubt();
  async function connect(): Promise<Connection> {
    const client = await borrow();
    let connection = known.get(client);
    if (!connection)
      known.set(client, (connection = new Connection(client, { names, cache, lockTimeout, onDoubt })));
    return connection;
  }

  const read = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: forReading({ pool, borrow, names, lockTimeout }) }),
  });
  const ask: Ask = async (text, values) => {
    const client = await borrow();
    let failed: Error | undefined;
    try {
      return (await lockTimeout.run(client, () => client.query(text, [...values]))).rows;
    } catch (error) {
      failed = error as Error;
      return fail(error);
    } finally {
      client.release(failed);
    }
  };
  useCache(read, cache.forReading(ask));
  // Half of the connections are reserved for reads and other writes.
  const gate = new Gate(CONNECT_MS);
  const groups = new GroupQueue({
    connect,
    gate,
    groupsMax: Math.ceil(connections / 2),
    groupMs,
    pauseAfter: (tookMs) => peers.pauseAfter(tookMs),
    onCommit,
  });
  const peers: PostgresPeers = new PostgresPeers({
    ask,
    newClient: () => new pg.Client({ ...one, keepAlive: true, pipeline: true }),
    onChanges: () => cache.expire(),
    // A network that drops packets closes no connection: without this, requests would wait for as long as the kernel keeps resending.
    onSilence: () => {
      for (const client of clients) client.connection.stream.destroy();
    },
    silenceMs,
  });
  const underWay = new TransientSet<Promise<unknown>>();

  return {
    dialect: 'postgres',
    shared: true,
    peers,
    timeline: () => cache.timeline,
    get read() {
      refuseInsideUnit('Store.read');
      return read;
    },
    async write(unit, { addsTo } = {}) {
      refuseInsideUnit('Store.write');
      const result = addsTo === undefined ? runAlone({ connect, gate }, unit) : groups.add(addsTo, unit);
      underWay.add(result);
      try {
        return await result;
      } finally {
        underWay.delete(result);
      }
    },
    async close() {
      await Promise.allSettled(underWay.values());
      await peers.close();
      await read.destroy();
      // Kysely does not end a pool that it has never used.
      await pool.end();
    },
  };
}

interface Reading {
  pool: pg.Pool;
  borrow: () => Promise<pg.PoolClient>;
  names: StatementNames;
  lockTimeout: LockTimeout;
}

/** The pool as Kysely's driver sees it: an error that is not the query's fault becomes `StorageUnavailable`. */
function forReading({ pool, borrow, names, lockTimeout }: Reading): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      const client = await borrow();
      const query = (text: string, values: readonly unknown[]) => {
        const name = values.length > 0 ? names.of(text) : undefined;
        return lockTimeout.run(client, () => client.query({ name, text, values: [...values] })).catch(fail);
      };
      return {
        // The other form of `query`, with a cursor, needs a cursor in the dialect's options.
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy?: boolean) => client.release(destroy),
      };
    },
    end: () => Promise.resolve(),
  };
}

function fail(error: unknown): never {
  throw postgresError(error);
}
