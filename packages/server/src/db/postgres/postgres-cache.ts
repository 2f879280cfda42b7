import type { CacheUse } from '../core/cache/cache.ts';
import { CachedRows, isAmong } from '../core/cache/cached-rows.ts';
import { CHANGES, CHANNEL } from './peers/channel.ts';

/** Runs a statement and returns its rows. */
export type Ask = (text: string, values: readonly unknown[]) => Promise<readonly unknown[]>;

/** A reading of the log of changes. */
interface ChangeLog {
  /** No transaction before this one can still commit a change. */
  until: string;
  /** The time of the query, in seconds, by the clock of the database. */
  at: number;
  /** The database, and the start of the server that has answered. */
  server: string;
  /** Each with its number: `17 member ws_… usr_…`. */
  changes: readonly string[] | null;
}

// The order of commits is not that of numbers: a change that was written earlier may be committed later. So this asks
// for the changes of all transactions that may still have been open at the last reading.
const READ_CHANGES = `
  select pg_snapshot_xmin(pg_current_snapshot())::text as until,
    extract(epoch from clock_timestamp())::double precision as at,
    (select oid || ' ' || extract(epoch from pg_postmaster_start_time()) from pg_database
      where datname = current_database()) as server,
    (select array_agg(seq || ' ' || source) from row_changes where xid >= $1::xid8) as changes`;

// Changes older than an hour are removed along the way. Rows that another process is removing are left to it.
const LOG_CHANGES = `
  with old as (
    delete from row_changes where seq in (
      select seq from row_changes where at < now() - interval '1 hour' order by seq limit 100 for update skip locked
    )
  ), new as (insert into row_changes (source) select unnest($1::text[]))
  select pg_notify('${CHANNEL}', '${CHANGES}')`;

// A process that has not read the log for this long may have missed a change that has been removed since.
const GAP_SECONDS = 1_800;

// A request may be decided by rows that were current this long before it arrived: a key that is revoked on one process is refused by all
// others after half a second. The promise is one second.
const FRESH_MS = 500;

/**
 * Caches rows of a database that several processes change. Every transaction that changes cached rows logs what it changes, and every
 * process reads that log before it relies on its cache: requests at least twice a second, and units that share a transaction at its
 * beginning, after their locks. No process depends on being told, so none can miss a change (docs/decisions/caches.md).
 */
export class PostgresCache {
  /** Counts the servers that have answered, one after another. */
  timeline = 0;
  readonly #rows = new CachedRows();
  /** Rises when entries are dropped: rows that were being read in the meantime may be old, and are not kept. */
  #generation = 0;
  #since = 0n;
  #at = 0;
  #server = '';
  /** The numbers of the most recent changes: they may be read again. */
  #known = new Set<string>();
  #freshFrom = Number.NEGATIVE_INFINITY;
  /** The last time that another process sent a hint about changes. */
  #expired = Number.NEGATIVE_INFINITY;
  #asking: { from: number; done: Promise<void> } | undefined;

  /** Drops the entries that others have changed since the last time. */
  async catchUp(ask: Ask): Promise<void> {
    const from = performance.now();
    const since = this.#since;
    const [row] = (await ask(READ_CHANGES, [String(since)])) as [ChangeLog];
    const until = BigInt(row.until);
    // A former replica or a restored database has not seen the last commits, and gives their numbers to others.
    const isOther = row.server !== this.#server;
    this.#server = row.server;
    if (isOther) this.timeline += 1;
    if (isOther || until < since || row.at - this.#at > GAP_SECONDS) this.#clear();
    const changes = (row.changes ?? []).map((change): [string, string] => {
      const space = change.indexOf(' ');
      return [change.slice(0, space), change.slice(space + 1)];
    });
    this.#drop(changes.filter(([seq]) => isOther || !this.#known.has(seq)).map(([, source]) => source));
    this.#known = new Set(changes.map(([seq]) => seq));
    // Two readings may overlap, and end in a different order from that in which they began.
    this.#since = isOther || until < since || until > this.#since ? until : this.#since;
    this.#at = Math.max(this.#at, row.at);
    this.#freshFrom = Math.max(this.#freshFrom, from);
  }

  /** Makes the next reader read the changes of other processes. */
  expire(): void {
    this.#expired = performance.now();
  }

  /** The cache for requests, which never change anything. */
  forReading(ask: Ask): CacheUse {
    return {
      refresh: (forGood) => {
        if (forGood) return undefined;
        const now = performance.now();
        const oldest = Math.max(now - FRESH_MS, this.#expired);
        if (this.#freshFrom >= oldest) return undefined;
        if (this.#asking && this.#asking.from >= oldest) return this.#asking.done;
        const asking = { from: now, done: this.catchUp(ask) };
        this.#asking = asking;
        const end = () => {
          if (this.#asking === asking) this.#asking = undefined;
        };
        asking.done.then(end, end);
        return asking.done;
      },
      find: (key) => this.#rows.find(key)?.rows,
      reading: (key) => {
        const generation = this.#generation;
        return (rows, sources) => {
          if (generation === this.#generation) this.#rows.keep(key, rows, sources);
        };
      },
      change: () => {
        throw new Error('Rows are changed in a unit only.');
      },
    };
  }

  /** The cache for one transaction. `isFresh`: it has caught up, and holds the locks under which that stays true. */
  forUnits(): UnitCache {
    const changed = new Set<string>();
    const unconfirmed: (() => void)[] = [];
    let isFresh = false;
    return {
      refresh: () => undefined,
      find: (key, forGood) => {
        if (!isFresh && !forGood) return undefined;
        const entry = this.#rows.find(key);
        return entry && !isAmong(changed, entry.sources) ? entry.rows : undefined;
      },
      reading: (key, forGood) => {
        const generation = this.#generation;
        return (rows, sources) => {
          if (!isFresh && !forGood) return;
          unconfirmed.push(() => {
            if (generation === this.#generation) this.#rows.keep(key, rows, sources);
          });
        };
      },
      change: (source) => void changed.add(source),
      begin: (fresh) => {
        isFresh = fresh;
        changed.clear();
        unconfirmed.length = 0;
      },
      logChanges: async (ask) => {
        if (changed.size > 0) await ask(LOG_CHANGES, [[...changed]]);
      },
      committed: () => {
        this.#drop([...changed]);
        for (const keep of unconfirmed) keep();
      },
    };
  }

  #drop(sources: readonly string[]): void {
    if (sources.length === 0) return;
    this.#generation += 1;
    this.#rows.drop(sources);
  }

  #clear(): void {
    this.#generation += 1;
    this.#rows.clear();
  }
}

/** The cache for the transactions of a connection, one after another. */
export interface UnitCache extends CacheUse {
  /** `fresh`: the transaction has caught up after its locks. Only then does it use rows that can change. */
  begin(fresh: boolean): void;
  /** Logs the changes of the transaction; call it before the commit. */
  logChanges(ask: Ask): Promise<void>;
  /** Drops the entries that it has changed, and keeps the rows that it has read: before its commit, these might be its own changes. */
  committed(): void;
}
