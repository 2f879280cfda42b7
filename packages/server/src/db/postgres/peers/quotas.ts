import { nextTurn } from '../../../clock/timer.ts';
import type { Quota, QuotaRequest, UnusedQuota } from '../../../domain/quota.ts';
import { StorageLocked } from '../../../domain/faults/storage-unavailable.ts';
import type { Ask } from '../postgres-cache.ts';

// Longer than a window, and longer than a request that began in an earlier window can be late.
const KEPT_MS = 120_000;

// Somebody has locked the table. The first of the next requests waits for it again, and the others with it.
const PAUSE_MS = 5_000;

// The grant depends on the row as it is under its lock: waiting requests get the remaining quota, and a process that wants more for later
// gets a part of it. A row of an older window starts over. So does a row from a time at which the database's clock was ahead: its window
// would not end before that time. `waiting`, `wanted` and `cap` are columns because the update can see the request only through them.
const IS_OPEN = `q.window_start between excluded.window_start and excluded.window_start + ${KEPT_MS}`;
const GRANT = `
  with asked as (
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
      as asked (name, window_start, cap, waiting, wanted, spent)
  )
  insert into quotas as q (name, window_start, cap, waiting, wanted, granted, used)
  select name, window_start, cap, waiting, wanted, granted, granted + greatest(0, spent)
  from asked, lateral (select least(cap, greatest(waiting, least(wanted, cap / 16))) as granted) as first
  order by name
  on conflict (name) do update set
    window_start = case when ${IS_OPEN} then q.window_start else excluded.window_start end,
    cap = excluded.cap,
    waiting = excluded.waiting,
    wanted = excluded.wanted,
    (granted, used) = (
      select grantable, spent + grantable
      from (
        select case when ${IS_OPEN} then q.used else 0 end
          + excluded.used - excluded.granted as spent
      ) as before,
      lateral (select greatest(0, excluded.cap - spent) as free) as room,
      lateral (select least(free, greatest(excluded.waiting, least(excluded.wanted, free / 16))) as grantable) as grant_now
    )
  returning name, granted, used`;

const RETURN = `
  with returned as (
    select q.name, given.held from unnest($1::text[], $2::bigint[], $3::bigint[]) as given (name, window_start, held)
    join quotas as q on q.name = given.name and q.window_start = given.window_start
    order by q.name for update of q
  )
  update quotas set used = greatest(0, used - held) from returned where quotas.name = returned.name`;

const REMOVE_OLD = `
  delete from quotas where name in (
    select name from quotas where window_start < $1 limit 1000 for update skip locked
  )`;

interface Asked {
  request: QuotaRequest;
  resolve: (quota: Quota | null) => void;
}

const COLUMNS = ['name', 'windowStart', 'limit', 'waiting', 'wanted', 'spent'] as const;

/**
 * Request limits that all processes share: one row per limit says how much of its window is used. One statement serves everybody who asks
 * in one turn of the event loop, or while the one before is under way: statements that wait for a lock would pile up before the heartbeat,
 * which has the same connection. The table is unlogged: a crash of PostgreSQL begins new windows.
 */
export class Quotas {
  readonly #ask: Ask;
  #asked = new Map<string, Asked>();
  /** The window that was requested last: the newest one may be from a time at which the clock was ahead. */
  #last = 0;
  /** Settles after the last statement so far. */
  #sent: Promise<void> = Promise.resolve();
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  take(request: QuotaRequest): Promise<Quota | null> {
    if (this.#isPaused) return Promise.resolve(null);
    // One statement can change a row only once.
    if (this.#asked.has(request.name)) return this.#sent.then(() => this.take(request));
    return new Promise((resolve) => {
      if (this.#asked.size === 0) this.#sent = this.#sent.then(nextTurn).then(() => this.#send());
      this.#asked.set(request.name, { request, resolve });
    });
  }

  async giveBack(unused: readonly UnusedQuota[]): Promise<void> {
    const columns = (['name', 'windowStart', 'held'] as const).map((name) => unused.map((one) => one[name]));
    await this.#change(RETURN, columns);
  }

  /** Removes the rows of windows that have ended. */
  async removeOld(): Promise<void> {
    await this.#change(REMOVE_OLD, [this.#last - KEPT_MS]);
  }

  get #isPaused(): boolean {
    return performance.now() < this.#pausedUntil;
  }

  /** Runs a statement that can be left out: its rows end with their windows. */
  #change(text: string, values: readonly unknown[]): Promise<void> {
    const change = () => (this.#isPaused ? undefined : this.#ask(text, values));
    this.#sent = this.#sent.then(change).then(
      () => undefined,
      () => undefined,
    );
    return this.#sent;
  }

  async #send(): Promise<void> {
    const asked = [...this.#asked.values()];
    this.#asked = new Map();
    this.#last = asked.at(-1)?.request.windowStart ?? this.#last;
    let quotas = new Map<string, Quota>();
    try {
      const columns = COLUMNS.map((name) => asked.map(({ request }) => request[name]));
      const rows = this.#isPaused ? [] : ((await this.#ask(GRANT, columns)) as ({ name: string } & Quota)[]);
      quotas = new Map(rows.map((row) => [row.name, row]));
    } catch (error) {
      // A limit never refuses because the database is unavailable: requests that pass in the meantime are counted later.
      this.#failed(error);
    }
    for (const { request, resolve } of asked) resolve(quotas.get(request.name) ?? null);
  }

  #failed(error: unknown): void {
    if (error instanceof StorageLocked) this.#pausedUntil = performance.now() + PAUSE_MS;
  }
}
