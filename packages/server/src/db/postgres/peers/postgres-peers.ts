import type pg from 'pg';
import type { DueQueue } from '../../../domain/deliveries/due-queue.ts';
import type { Quota, QuotaRequest, UnusedQuota } from '../../../domain/quota.ts';
import type { Hint, PeerListener, Peers } from '../../core/peers.ts';
import { CHANGES, CHANNEL } from './channel.ts';
import { DatabaseClock } from '../database-clock.ts';
import { hintOf, keyOf, messagesOf } from './hint-messages.ts';
import { findLostOwners } from './lost-owners.ts';
import { isOwnSession } from './own-session.ts';
import type { Ask } from '../postgres-cache.ts';
import { postgresError } from '../postgres-error.ts';
import { Presence } from './presence.ts';
import { Quotas } from './quotas.ts';

interface PeersOptions {
  /** Runs a statement on any connection of the pool. */
  ask: Ask;
  /** Makes the connection of this process to the others. */
  newClient: () => pg.Client;
  /** Called when others may have changed rows: the next reader of the cache asks the database. */
  onChanges: () => void;
  /** Called when the database has been silent for too long: queries on other connections might wait forever. */
  onSilence: () => void;
  /** The length of that silence, in milliseconds. Default 10,000. */
  silenceMs?: number | undefined;
}

// Hints are sent together: thousands of events a second make about forty messages a second.
const HINTS_MS = 20;
// A process is gone when two heartbeats have missed it: the others continue its work within two seconds.
const BEAT_MS = 500;
// A connection that is silent for this long is dead, whatever the network says.
const SILENCE_MS = 10_000;
const LOCK_TIMEOUT = '1s';
const RECONNECT_MS = 500;
const TIDY_MS = 60_000;
// The message of a process that has just joined.
const HELLO = 'hello';

// The longest pause after a transaction. It delays responses.
const PAUSE_MAX_MS = 20;

// The beginning of the name of a connection; the name of the process follows.
const APPLICATION = 'hubline ';

const BEAT = `
  select extract(epoch from clock_timestamp()) * 1000 as now, array_agg(pid) as pids,
    array_agg(substr(application_name, ${APPLICATION.length + 1}))
      filter (where coalesce(state_change > clock_timestamp() - $1 * interval '1 millisecond', true)) as present
  from pg_stat_activity where datname = current_database() and application_name like '${APPLICATION}process%'`;

/**
 * The processes on one PostgreSQL database, through a connection that each keeps besides its pool. It carries hints (`NOTIFY`, heard by
 * `LISTEN`), a heartbeat that reads the clock and sees who is still there, and keys that one process at a time can hold (advisory locks,
 * which end with the connection, so that a dead process holds none). Leases carry the name of a process, and end with it.
 */
export class PostgresPeers implements Peers {
  readonly #options: PeersOptions;
  readonly #presence: Presence;
  readonly #silenceMs: number;
  readonly #time = new DatabaseClock();
  readonly #quotas: Quotas;
  #client: pg.Client | undefined;
  #listener: PeerListener | undefined;
  #closed = false;
  #pids = new Set<number>();
  #hints = new Map<string, Hint>();
  #timers = new Set<NodeJS.Timeout>();

  constructor(options: PeersOptions) {
    this.#options = options;
    this.#silenceMs = options.silenceMs ?? SILENCE_MS;
    this.#presence = new Presence({ silenceMs: this.#silenceMs, elapsed: () => performance.now() });
    this.#quotas = new Quotas((text, values) => this.#ask(text, values));
  }

  clock(): Date {
    return this.#time.now();
  }

  async others(): Promise<number> {
    const [seen] = (await this.#options.ask(BEAT, [this.#silenceMs])) as Beat[];
    return (seen?.present ?? []).filter((id) => id !== this.#presence.id).length;
  }

  owner(): string | null {
    return this.#presence.owner();
  }

  /** Notes that nobody knows whether a commit has happened. */
  doubt(): void {
    this.#presence.doubt();
  }

  async join(listener: PeerListener): Promise<void> {
    this.#listener = listener;
    await this.#connect();
    this.#every(BEAT_MS, () => this.#beat());
    this.#every(TIDY_MS, () => this.#quotas.removeOld());
  }

  send(hint: Hint): void {
    // This is the only process, and a process that joins reads all rows first. A command that does not join cannot know who is there.
    if (this.#listener && this.#pids.size < 2) return;
    if (this.#hints.size === 0) this.#after(HINTS_MS, () => this.#send());
    const key = keyOf(hint);
    const known = this.#hints.get(key);
    if (known?.of === 'due' && hint.of === 'due' && known.dueAt <= hint.dueAt) return;
    this.#hints.set(key, hint);
  }

  pauseAfter(tookMs: number): number {
    return Math.min(PAUSE_MAX_MS, tookMs * Math.max(0, this.#pids.size - 1));
  }

  async lock(key: Buffer): Promise<(() => void) | null> {
    // Locked even without peers: a repeated request may reach a process that joins while the first request is running.
    const client = this.#client;
    if (!client) return () => {};
    const number = String(key.readBigInt64BE());
    try {
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
        number,
      ]);
      if (!rows[0]?.taken) return null;
    } catch {
      return () => {};
    }
    // The lock ends with the connection, too.
    return () => void client.query('select pg_advisory_unlock($1)', [number]).catch(() => {});
  }

  takeQuota(request: QuotaRequest): Promise<Quota | null> {
    return this.#quotas.take(request);
  }

  async returnQuota(unused: readonly UnusedQuota[]): Promise<void> {
    await this.#quotas.giveBack(unused);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    if (this.#hints.size > 0) await this.#send();
    await this.#client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const client = this.#options.newClient();
    const lost = () => this.#lose(client);
    // Until it has joined, the calls below report the error.
    client.on('error', () => {});
    client.on('notification', ({ processId, payload = '' }) => this.#receive(processId, payload));
    try {
      await client.connect();
      if (this.#closed || !(await isOwnSession(client, this.#options.ask))) return void client.end();
      // Nothing on it is worth a flush of the disk, or a long wait, which the heartbeat would share: hints, locks, and limits that are not
      // logged.
      const { id } = this.#presence;
      await client.query(
        `set application_name = '${APPLICATION}${id}'; set synchronous_commit = off; set default_transaction_isolation = 'read committed';
        set lock_timeout = '${LOCK_TIMEOUT}'`,
      );
      await client.query(`listen ${CHANNEL}`);
      this.#client = client;
      this.#presence.connected();
      // Comes before the heartbeat, with which it begins to take leases: if it dies right after, the others know that it is missing.
      await client.query('select pg_notify($1, $2)', [CHANNEL, `${id}\n${HELLO}`]);
      // A heartbeat reports no error.
      client.on('error', lost);
      client.on('end', lost);
      await this.#beat();
    } catch (error) {
      this.#client = undefined;
      this.#presence.leave();
      client.end().catch(() => {});
      throw error;
    }
    this.#options.onChanges();
    this.#listener?.sweep();
  }

  /** Connects again. Hints that were sent meanwhile are lost, so all rows are read afterward. */
  #lose(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#presence.leave();
    this.#reconnect(0);
  }

  #reconnect(inMs = RECONNECT_MS): void {
    this.#after(inMs, () => this.#connect().catch(() => this.#reconnect()));
  }

  /** Reads the clock, and finds out which processes are there. */
  async #beat(): Promise<void> {
    const client = this.#client;
    if (!client) return;
    const deadline = this.#after(this.#silenceMs, () => {
      client.connection.stream.destroy();
      this.#options.onSilence();
    });
    try {
      const sentAt = performance.now();
      let seen: Beat = { now: 0, pids: [], present: null };
      await this.#time.read(async () => {
        const { rows } = await client.query<Beat>(BEAT, [this.#silenceMs]);
        seen = rows[0] ?? seen;
        return Number(seen.now);
      });
      this.#pids = new Set(seen.pids);
      this.#presence.beat(sentAt, { now: Number(seen.now), present: seen.present ?? [] });
      void this.#reportGone();
    } catch {
      // The connection is lost, and made again.
    } finally {
      clearTimeout(deadline);
      this.#timers.delete(deadline);
    }
  }

  /** Reports processes that are gone, once for each, so that their work is taken over. */
  async #reportGone(): Promise<void> {
    const { id } = this.#presence;
    const owner = this.owner();
    const survivors = this.#presence.survivors();
    if (survivors === null) return;
    try {
      if (owner === null) throw new Error('The others do not see this process itself.');
      const now = this.#time.now().getTime();
      const lost = await findLostOwners(this.#options.ask, { now, id, owner, survivors });
      // Otherwise its newest name would count as a former one.
      if (this.owner() !== owner) throw new Error('This process got another name in the meantime.');
      await this.#listener?.gone(lost);
    } catch {
      this.#presence.lookAgain();
    }
  }

  #receive(pid: number, message: string): void {
    const [from, ...lines] = message.split('\n');
    if (from === CHANGES) return this.#options.onChanges();
    if (from === this.#presence.id) return;
    const due: DueQueue[] = [];
    for (const line of lines) {
      const hint = hintOf(line);
      if (line === HELLO) {
        this.#pids.add(pid);
        this.#presence.met(from ?? '');
      } else if (hint?.of === 'changed') this.#listener?.changed(hint.id);
      else if (hint?.of === 'jobs') this.#listener?.jobs();
      else if (hint?.of === 'due') due.push(hint);
      else this.#listener?.sweep();
    }
    if (due.length > 0) this.#listener?.due(due);
  }

  async #send(): Promise<void> {
    const hints = [...this.#hints.values()];
    this.#hints = new Map();
    const messages = messagesOf(this.#presence.id, hints);
    const notify = 'select pg_notify($1, message) from unnest($2::text[]) as message';
    await this.#ask(notify, [CHANNEL, messages]).catch(() => {});
  }

  async #ask(...[text, values]: Parameters<Ask>): ReturnType<Ask> {
    if (!this.#client) return this.#options.ask(text, values);
    try {
      return (await this.#client.query(text, [...values])).rows;
    } catch (error) {
      throw postgresError(error);
    }
  }

  #after(ms: number, run: () => unknown): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#closed) void run();
    }, ms);
    timer.unref();
    this.#timers.add(timer);
    return timer;
  }

  #every(ms: number, run: () => Promise<void>): void {
    this.#after(ms, async () => {
      await run();
      this.#every(ms, run);
    });
  }
}

/** The result of a heartbeat. */
interface Beat {
  now: string | number;
  /** The backends of the connections of all processes. */
  pids: number[];
  /** The processes that the database has heard from. */
  present: string[] | null;
}
