import { pause } from '../../clock/timer.ts';
import { LIMITS, STATS_WINDOWS } from '@hubline/contract';
import { chaos } from '#chaos';
import type { Deps } from '../../context.ts';
import { listPrunable, prune, type PrunedTable } from '../../db/prune.ts';
import { type AgingTable, listAged, removeAged } from '../../db/retention.ts';
import { removeStatsGroups } from '../../db/workspaces/stats-groups.ts';
import { removeStats } from '../../db/workspaces/workspace-stats.ts';
import { bucketsOf, STATS_WINDOW_NAMES, type StatsWindow } from '../../domain/stats/stats-window.ts';
import { StepSize, timed } from './step-size.ts';

// Long enough for an operator to see a failed job.
const FAILED_JOBS_DAYS = 30;
// A notification that is unread after this time will never be read.
const NOTIFICATIONS_DAYS = 90;
// After this time, nobody asks for the result of an attempt to connect.
const OAUTH_FLOWS_DAYS = 1;
const DAY_MS = 24 * 60 * 60_000;

// The time for which a step may hold the one writer that everybody shares.
const STEP_MS = 2;
// After a step, other work gets the writer for this many times as long. Now and then a commit copies changes out of the
// write-ahead log, which takes ten milliseconds and more: without the rest, the p99 would rise.
const REST = { usual: 40, behind: 4 };
const REST_RANGE_MS = { least: 2, most: 1_000 };
// Beyond this, removal does not keep up with new rows, and space matters more than the p99.
const BEHIND_MS = DAY_MS;

type HousekeepingDeps = Pick<Deps, 'store' | 'log' | 'clock' | 'config'>;

interface Step {
  more: boolean;
  /** The time for which it kept the writer, in milliseconds. */
  took: number;
  /** True if removal lags so far behind that it has to hurry. */
  behind: boolean;
}

/**
 * Removes everything that has expired, in small steps with rests in between. Stops after the current step when `signal`
 * aborts.
 */
export const keepHouse = (deps: HousekeepingDeps, signal: AbortSignal): Promise<void> =>
  new Housekeeping(deps, signal).run();

class Housekeeping {
  readonly #deps: HousekeepingDeps;
  readonly #signal: AbortSignal;
  readonly #errors: Error[] = [];

  constructor(deps: HousekeepingDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    await this.#runAll();
    const [first] = this.#errors;
    if (first) throw first;
  }

  async #runAll(): Promise<void> {
    const { retainEventsDays, retainDeliveriesDays, retainAuditDays } = this.#deps.config;
    await this.#retain('idempotency_keys', LIMITS.idempotencyWindowMs / DAY_MS);
    // Before the events: removing an event copies its payload into the deliveries that outlive it.
    await this.#retain('deliveries', retainDeliveriesDays);
    await this.#retain('automation_runs', retainDeliveriesDays);
    await this.#retain('events', retainEventsDays);
    await this.#retain('notification_messages', retainDeliveriesDays);
    await this.#retain('notifications', NOTIFICATIONS_DAYS);
    await this.#retain('audit_log', retainAuditDays);
    await this.#prune('jobs', Date.parse(this.#daysAgo(FAILED_JOBS_DAYS)));
    await this.#prune('sessions', this.#daysAgo(0));
    await this.#prune('oauth_flows', this.#daysAgo(OAUTH_FLOWS_DAYS));
    for (const window of STATS_WINDOW_NAMES) await this.#retainStats(window);
    if (retainDeliveriesDays > 0) await this.#prune('recoveries', this.#daysAgo(retainDeliveriesDays));
  }

  /** Removes rows that are older than `days`; 0 keeps all. */
  async #retain(table: AgingTable, days: number): Promise<void> {
    if (days === 0) return;
    const { store } = this.#deps;
    const oldest = this.#daysAgo(days);
    const overdue = this.#daysAgo(days + BEHIND_MS / DAY_MS);
    let after = 0;
    await this.#task(table, () =>
      this.#inSteps(async (limit) => {
        const { seqs, next, first } = await listAged(store.read, table, { after, oldest, limit });
        const { result: done, took } =
          seqs.length > 0
            ? await store.write((tx) => timed(() => removeAged(tx, table, { seqs, oldest, limit })))
            : { result: true, took: 0 };
        chaos.reach('retention.committed');
        // The next step continues with the same rows if there was too much to do before they go.
        if (done) after = next ?? after;
        return { more: !done || next !== null, took, behind: first < overdue };
      }),
    );
  }

  /** Removes rows of which a time is earlier than `before`. */
  async #prune(table: PrunedTable, before: string | number): Promise<void> {
    const { store } = this.#deps;
    let after: string | number | null = null;
    await this.#task(table, () =>
      this.#inSteps(async (limit) => {
        const { keys, next } = await listPrunable(store.read, table, { after, before, limit });
        after = next;
        const { took } =
          keys.length > 0
            ? await store.write((tx) => timed(() => prune(tx, table, { keys, before })))
            : { took: 0 };
        return { more: next !== null, took, behind: false };
      }),
    );
  }

  /**
   * Removes old statistics. Keeps the buckets that the window shows, and those of the window before it, for comparison.
   */
  async #retainStats(window: StatsWindow): Promise<void> {
    const { store, clock } = this.#deps;
    const [before = ''] = bucketsOf(window, clock(), 1);
    const resolution = STATS_WINDOWS[window].bucketSeconds;
    for (const remove of [removeStats, removeStatsGroups])
      await this.#task('statistics', () =>
        this.#inSteps(async (limit) => {
          const { result: removed, took } = await store.write((tx) =>
            timed(() => remove(tx, { resolution, before, limit })),
          );
          return { more: removed === limit, took, behind: false };
        }),
      );
  }

  /** Removes rows of one kind. If that fails, they are removed at the next run; the other tasks continue. */
  async #task(table: string, work: () => Promise<void>): Promise<void> {
    if (this.#signal.aborted) return;
    const what = table.replaceAll('_', ' ');
    try {
      await work();
    } catch (error) {
      this.#deps.log.warn({ err: error }, `old ${what} could not be removed`);
      this.#errors.push(new Error(`Old ${what} could not be removed: ${messageOf(error)}`));
    }
  }

  /** Repeats `step`, with as many rows as take about `STEP_MS`, until there are no more. */
  async #inSteps(step: (rows: number) => Promise<Step>): Promise<void> {
    const size = new StepSize(STEP_MS);
    while (!this.#signal.aborted) {
      const began = performance.now();
      const { more, took, behind } = await step(size.rows);
      if (!more) return;
      size.adapt(took);
      const rest = (performance.now() - began) * (behind ? REST.behind : REST.usual);
      await pause(Math.min(REST_RANGE_MS.most, Math.max(REST_RANGE_MS.least, rest)));
    }
  }

  #daysAgo(days: number): string {
    return new Date(this.#deps.clock().getTime() - days * DAY_MS).toISOString();
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
