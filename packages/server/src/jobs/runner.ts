import { chaos } from '#chaos';
import { ClockWatch } from '../clock/clock-watch.ts';
import { endsWithin, nextTurn, pause, type Timer } from '../clock/timer.ts';
import { NO_OWNER_MS, PEER_MS, STORAGE_RETRY_MS } from '../clock/waits.ts';
import type { Deps } from '../context.ts';
import {
  claimJobs,
  insertPeriodicJob,
  type JobRow,
  listDueTimes,
  listLeasedJobs,
  type NewJobLease,
  renewJobLeases,
  type StoredKindName,
  uncountAttempts,
} from '../db/jobs.ts';
import { leaseEnd } from '../domain/lease.ts';
import type { JobKind } from './job-kind.ts';
import { LeasedJobs } from './leased-jobs.ts';
import { noteAlive } from './note-alive.ts';
import { performJob, recordCrash } from './perform-job.ts';
import { PollTimer } from './poll-timer.ts';

interface RunnerOptions {
  kinds: readonly JobKind[];
  /** Names this process on the leases that it takes now; `null`: it takes none for a moment. */
  owner: () => string | null;
  timer: Timer;
  /** A monotonic clock, in milliseconds. */
  monotonic: () => number;
}

const RENEW_MS = 20_000;
// The period of polls for jobs that another process has added, or had claimed when it died.
const POLL_MS = 30_000;
// Longer than an email or a call of a provider may take.
const STOP_MS = 30_000;
// Rows are small: enough for those of one group of commits, and some of the next.
const OFFERED_MAX = 256;

/**
 * Runs jobs: claims due ones, runs the handler outside any transaction, records the result. A lease with a fencing token keeps
 * processes apart; it is renewed while the handler runs. An attempt that a crash cut off has failed.
 */
export class JobRunner {
  readonly #deps: Deps;
  readonly #options: RunnerOptions;
  readonly #kinds: ReadonlyMap<string, JobKind>;
  readonly #leased: LeasedJobs;
  /** Kinds that may have due jobs in the database, which come before new ones. At first, every kind. */
  readonly #backlogged: Set<string>;
  /** Kinds that had more due jobs than room: when one of their jobs ends, the runner polls again. */
  readonly #full = new Set<string>();
  readonly #pollTimer: PollTimer;
  readonly #clockWatch: ClockWatch;
  /** The name of this process at the last claim. */
  #owner: string | null;
  #stopped = true;
  #cancelRenewal = () => {};

  constructor(deps: Deps, options: RunnerOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#owner = options.owner();
    this.#kinds = new Map(options.kinds.map((kind) => [kind.name, kind]));
    this.#backlogged = new Set(this.#kinds.keys());
    const isStopped = () => this.#stopped;
    this.#leased = new LeasedJobs({
      kinds: this.#kinds,
      isStopped,
      perform: (job, signal) => performJob({ deps, isStopped }, job, signal),
      ended: (kind, isOver) => this.#ended(kind, isOver),
    });
    this.#pollTimer = new PollTimer({ ...options, poll: () => this.#poll() });
    this.#clockWatch = new ClockWatch(deps.clock, options.monotonic);
  }

  /** Takes over the jobs that an earlier process left, then works until `stop`. */
  async start(): Promise<void> {
    const { store } = this.#deps;
    // If several processes share the database, the clock has just become that of the database.
    this.#clockWatch.follow();
    const now = this.#now();
    await store.write(async (tx) => {
      for (const { name, everyMs, firstInMs = everyMs } of this.#kinds.values()) {
        if (everyMs === undefined || firstInMs === undefined) continue;
        const job = { kind: name, key: name, payload: '{}', due_at: now + firstInMs, created_at: now };
        await insertPeriodicJob(tx, job, now + everyMs);
      }
    });
    // Owners that are alive renew their leases. Without other processes, no owner is alive.
    const leased = await listLeasedJobs(store.read);
    await this.#recordCrashes(leased.filter((row) => !store.shared || row.due_at <= now));
    this.#stopped = false;
    this.#renewLater();
    this.#pollTimer.start();
  }

  /** Polls now: a job may be due. */
  wake(): void {
    this.#pollTimer.wake();
  }

  /** Takes over the jobs of these owners, which are gone. Jobs of this process continue. */
  async takeOver(owners: readonly string[]): Promise<void> {
    if (owners.length > 0) {
      const leased = await listLeasedJobs(this.#deps.store.read, owners);
      const ours = new Set(this.#leased.all().map(({ seq }) => seq));
      await this.#recordCrashes(leased.filter(({ seq }) => !ours.has(seq)));
    }
    this.wake();
  }

  /** Records that jobs were cut off. Those of a kind that only another version knows are left to it. */
  async #recordCrashes(rows: readonly JobRow[]): Promise<void> {
    await Promise.all(
      rows.flatMap((row) => {
        const kind = this.#kinds.get(row.kind);
        return kind ? [recordCrash(this.#deps, { kind, row })] : [];
      }),
    );
  }

  /** Polls soon for a job that another process has added: that process goes first. */
  pollSoon(): void {
    this.#pollTimer.wakeIn(PEER_MS);
  }

  /**
   * The lease with which a new job is stored to be begun here. `null` while jobs of its kind wait in the database, which come first, or
   * too many wait here. It reserves nothing.
   */
  leaseFor(kind: StoredKindName): NewJobLease | null {
    const owner = this.#options.owner();
    const isReady = !this.#stopped && !this.#backlogged.has(kind) && owner !== null;
    if (isReady && this.#leased.waitingCount(kind) < OFFERED_MAX)
      return { owner, until: leaseEnd(this.#now()) };
    this.#backlogged.add(kind);
    return null;
  }

  /** Begins a job that was stored with such a lease, as soon as there is room. */
  offer(row: JobRow): void {
    chaos.reach('job.claimed', row.kind);
    this.#leased.add(row);
    this.#leased.begin(row.kind);
  }

  /**
   * Claims nothing more, asks running jobs to end, and waits for them for at most half a minute. After that,
   * their leases end by themselves.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#pollTimer.stop();
    this.#cancelRenewal();
    this.#leased.abort();
    const { log } = this.#deps;
    const kinds = () => [...new Set(this.#leased.all().map(({ kind }) => kind))];
    if (this.#leased.runningCount > 0)
      log.info({ kinds: kinds() }, `stopping: waiting up to ${STOP_MS / 1_000} s for running jobs`);
    if (await endsWithin(STOP_MS, Promise.all([this.idle(), this.#uncount()]))) return;
    log.warn(
      { kinds: kinds() },
      'jobs did not end in time; another server or the next start takes them over',
    );
  }

  /** An attempt that outlasts the stop must not look like one that crashed the process. */
  async #uncount(): Promise<void> {
    try {
      const leased = this.#leased.all();
      if (leased.length > 0) await this.#deps.store.write((tx) => uncountAttempts(tx, leased));
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the stop of running jobs could not be recorded');
    }
  }

  /** Waits until nothing runs, and nothing that was due at the last poll is left. */
  async idle(): Promise<void> {
    while (this.#pollTimer.isPolling || this.#leased.runningCount > 0) {
      await this.#leased.ended();
      await nextTurn();
    }
  }

  /** Returns the milliseconds until the next poll. */
  async #poll(): Promise<number> {
    try {
      return await this.#claimDue();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'jobs could not be claimed; trying again');
      return STORAGE_RETRY_MS;
    }
  }

  /** Begins due jobs that may run. Returns the milliseconds until the next poll; 0: at once. */
  async #claimDue(): Promise<number> {
    const { store } = this.#deps;
    const owner = this.#options.owner();
    if (owner === null) {
      await pause(NO_OWNER_MS);
      return 0;
    }
    // Leases under the former name may be lost. Those that are not must not be claimed again.
    if (owner !== this.#owner) await this.#renewLeases();
    this.#owner = owner;
    await this.#followClock();
    const times = await listDueTimes(store.read, owner, [...this.#kinds.keys()]);
    const now = this.#now();
    // A kind without room is polled again when one of its jobs ends; kinds of another version are not ours to run.
    const waiting = times.filter(({ kind }) => this.#leased.capacityFor(kind) > 0);
    const due = waiting.filter((one) => one.due_at <= now);
    this.#backlogged.clear();
    this.#full.clear();
    for (const one of times) if (one.due_at <= now) this.#backlogged.add(one.kind);
    for (const kind of this.#kinds.keys()) if (this.#leased.capacityFor(kind) <= 0) this.#full.add(kind);
    if (due.length === 0) {
      const next = Math.min(...waiting.map((one) => one.due_at - now), POLL_MS);
      return Math.max(1, next);
    }
    const rows = await store.write(async (tx) => {
      const claimed: JobRow[] = [];
      for (const { kind } of due) {
        // Some may have been offered in the meantime.
        const limit = Math.max(0, this.#leased.capacityFor(kind));
        const claim = { kind, owner, now, leaseUntil: leaseEnd(now), limit };
        const some = await claimJobs(tx, claim);
        if (some.length < limit) this.#backlogged.delete(kind);
        else this.#full.add(kind);
        claimed.push(...some);
      }
      return claimed;
    });
    for (const row of rows) {
      chaos.reach('job.claimed', row.kind);
      this.#leased.add(row);
    }
    for (const { kind } of due) this.#leased.begin(kind);
    // Nothing was claimed: another process is claiming the same jobs.
    return rows.length > 0 ? 0 : STORAGE_RETRY_MS;
  }

  #ended(kind: string, isOver: boolean): void {
    // It continues at another time, or others of its kind are due.
    const isLast = this.#leased.waitingCount(kind) === 0;
    if (!isOver) this.#deps.store.peers?.send({ of: 'jobs' });
    if (!isOver || (isLast && this.#full.has(kind))) this.wake();
  }

  #renewLater(): void {
    this.#cancelRenewal = this.#options.timer(() => void this.#renew(), RENEW_MS);
  }

  async #renew(): Promise<void> {
    try {
      if (this.#leased.runningCount > 0) await this.#renewLeases();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the leases of jobs could not be renewed; trying again');
    }
    if (!this.#stopped) this.#renewLater();
  }

  async #renewLeases(): Promise<void> {
    const leased = this.#leased.all();
    const held = new Set(
      await this.#deps.store.write((tx) => renewJobLeases(tx, leased, leaseEnd(this.#now()))),
    );
    this.#leased.drop(leased.filter(({ seq }) => !held.has(seq)));
  }

  /**
   * Follows a wall clock that was set: waiting jobs move with it when it was set back, and leases are
   * renewed.
   */
  async #followClock(): Promise<void> {
    const jump = this.#clockWatch.look();
    if (!jump) return;
    const { store } = this.#deps;
    const now = this.#now();
    await store.write(async (tx) => {
      await renewJobLeases(tx, this.#leased.all(), leaseEnd(now));
      // Jobs that several processes share do not move with the clock of one: the latest time that any of them has stored decides.
      const reached = store.shared ? now : now - Math.round(jump.ms);
      const since = now - Math.ceil(jump.withinMs);
      await noteAlive(tx, { now, reached, since, kinds: this.#kinds.values() });
    });
    this.#clockWatch.follow();
  }

  #now(): number {
    return this.#deps.clock().getTime();
  }
}
