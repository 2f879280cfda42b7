import { statSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Registry } from 'prom-client';
import { backupMetrics } from './backup-metrics.ts';
import { certificateMetrics } from './certificate-metrics.ts';
import { metersOf } from './meters.ts';
import type { ByteMeter } from '../limits/byte-budget.ts';
import type { BackupSchedule, CertificateStatus } from '../system/server-info.ts';
import type { SenderLevel } from '../delivery/senders/sender-pool.ts';

/** The deliveries that wait to be sent. */
export interface QueueLevels {
  /** Deliveries that could go out now. */
  due: number;
  /** Deliveries that wait for the time of a retry, or are being sent. */
  scheduled: number;
  /** The time for which the oldest has been due, in milliseconds; 0 when nothing is. */
  oldestDueMs: number;
}

/** Jobs of a kind in a state. */
export interface JobLevel {
  kind: string;
  state: string;
  jobs: number;
}

/** Background work that is not done. */
export interface JobLevels {
  levels: readonly JobLevel[];
  /** The time for which the oldest has been due, in milliseconds; 0 when nothing is. */
  oldestDueMs: number;
}

/** A request, and the status of its response. */
export interface RequestSample {
  method: string;
  /** The template, such as `/v1/workspaces/{id}`, never the path that was asked for. */
  route: string;
  status: number;
  ms: number;
}

/** Counts the work of a server. An observation costs a quarter of a microsecond; levels are looked up when somebody asks for them. */
export interface Metrics {
  request(sample: RequestSample): void;
  /** An attempt that has ended: `success`, `http_4xx` and the like, or the kind of error. */
  attempt(outcome: string, ms: number): void;
  /** A delivery that has succeeded, `ms` milliseconds after its event was stored. */
  delivered(ms: number): void;
  /** A commit, and the number of units that shared it. */
  commit(units: number): void;
  /** Returns all metrics in the text format of Prometheus. */
  render(): Promise<{ contentType: string; text: string }>;
  close(): void;
}

interface Sources {
  budgets: Readonly<Record<string, ByteMeter>>;
  queue: () => Promise<QueueLevels>;
  jobs: () => Promise<JobLevels>;
  /** The work of each thread that sends; none where the main thread sends. */
  senders: () => readonly SenderLevel[];
  /** The time for which the HTTP thread has worked, in milliseconds; 0 if there is none. */
  httpThreadMs: () => number;
  /** SQLite's write-ahead log; `null` on PostgreSQL. */
  walFile: string | null;
  /** The backups that the server makes by itself; `null` where it makes none. */
  backups: () => BackupSchedule | null;
  /** The certificate of the domain; `null` where there is none. */
  certificate: () => CertificateStatus | null;
}

// The buckets reach from the time of a receiver on this machine to the deadline of an attempt.
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
// A first attempt takes milliseconds; the last retry comes after about 13 minutes.
const DELIVERY_SECONDS = [...SECONDS, 60, 180, 900];
const UNITS = [1, 2, 5, 10, 20, 50, 100, 200];
const UNKNOWN: QueueLevels = { due: NaN, scheduled: NaN, oldestDueMs: NaN };
const NO_JOBS_KNOWN: JobLevels = { levels: [], oldestDueMs: NaN };
const LOOP_RESOLUTION_MS = 20;
const LOOP_PERCENTILES = { p50: 50, p99: 99, max: 100 };

/** The metrics of one server, in its own registry: several servers may run in one process. */
export function createMetrics({
  budgets,
  queue,
  jobs,
  senders,
  httpThreadMs,
  walFile,
  backups,
  certificate,
}: Sources): Metrics {
  const registry = new Registry();
  const meters = metersOf(registry);

  const requests = meters.counter(
    'hubline_http_requests_total',
    'Requests, by the status of their response.',
    ['method', 'route', 'status'],
  );
  const requestSeconds = meters.histogram(
    'hubline_http_request_seconds',
    'Time from the headers of a request to its response.',
    { buckets: SECONDS, labels: ['method', 'route'] },
  );
  const attempts = meters.counter('hubline_attempts_total', 'Attempts by outcome.', ['outcome']);
  const attemptSeconds = meters.histogram('hubline_attempt_seconds', 'Duration of an attempt, DNS to body.', {
    buckets: SECONDS,
  });
  const deliverySeconds = meters.histogram(
    'hubline_delivery_seconds',
    'Time from storing an event to the record of its delivery, retries included.',
    { buckets: DELIVERY_SECONDS },
  );
  const commitUnits = meters.histogram('hubline_commit_units', 'Units of work that share a commit.', {
    buckets: UNITS,
  });

  const depth = meters.gauge(
    'hubline_queue_deliveries',
    'Deliveries to send: due now, or scheduled for later and under way.',
    ['state'],
  );
  const oldest = meters.gauge(
    'hubline_queue_oldest_due_seconds',
    'Time for which the oldest delivery has been due.',
  );
  const jobLevels = meters.gauge('hubline_jobs', 'Unfinished background jobs, by kind and state.', [
    'kind',
    'state',
  ]);
  const oldestJob = meters.gauge(
    'hubline_jobs_oldest_due_seconds',
    'Time for which the oldest job has been due.',
  );
  const senderCalls = meters.gauge('hubline_sender_calls', 'Calls under way, by sender.', ['sender']);
  // Counters, so that Prometheus divides by the time of its choice: the average since the start hides what is busy now.
  const senderBusy = meters.counter(
    'hubline_sender_busy_seconds_total',
    'Time for which a sender has been busy. Its rate is the fraction of time, from 0 to 1.',
    ['sender'],
  );
  const sendersReplaced = meters.counter(
    'hubline_sender_replaced_total',
    'Sender threads that ended by themselves and were replaced.',
    ['sender'],
  );
  const httpBusy = meters.counter(
    'hubline_http_thread_busy_seconds_total',
    'Time for which the HTTP thread has been busy; 0 if HTTP is on the main thread.',
  );
  const wal =
    walFile === null ? null : meters.gauge('hubline_wal_bytes', "Size of SQLite's write-ahead log.");
  const updateBackups = backupMetrics(meters, backups);
  const updateCertificate = certificateMetrics(meters, certificate);
  const budgetUsed = meters.gauge(
    'hubline_budget_used_bytes',
    'Memory held by requests and deliveries, by purpose.',
    ['budget'],
  );
  const budgetLimit = meters.gauge(
    'hubline_budget_limit_bytes',
    'Memory that requests and deliveries may hold.',
    ['budget'],
  );
  const budgetRefused = meters.counter(
    'hubline_budget_refused_total',
    'Requests and deliveries for which there was no memory left.',
    ['budget'],
  );
  // One gauge each, as prom-client itself does: the label `quantile` belongs to summaries, which have a sum and a count.
  const loop = Object.entries(LOOP_PERCENTILES).map(([name, percentile]) => ({
    percentile,
    gauge: meters.gauge(`hubline_loop_lag_${name}_seconds`, `Event loop lag since the last scrape, ${name}.`),
  }));
  const memory = meters.gauge('process_resident_memory_bytes', 'Resident memory.');
  const cpu = meters.counter('process_cpu_seconds_total', 'CPU time used.');
  const delays = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delays.enable();

  async function update(): Promise<void> {
    // Without its database, a server still reports everything else.
    const [levels, { levels: kinds, oldestDueMs }] = await Promise.all([
      queue().catch(() => UNKNOWN),
      jobs().catch(() => NO_JOBS_KNOWN),
    ]);
    depth.set({ state: 'due' }, levels.due);
    depth.set({ state: 'scheduled' }, levels.scheduled);
    oldest.set(levels.oldestDueMs / 1_000);
    // Otherwise, kinds without jobs would keep their last value.
    jobLevels.reset();
    for (const { kind, state, jobs: count } of kinds) jobLevels.set({ kind, state }, count);
    oldestJob.set(oldestDueMs / 1_000);
    wal?.set(sizeOf(walFile));
    updateBackups();
    updateCertificate();
    // The budgets keep the counts: this copies them.
    budgetRefused.reset();
    for (const [budget, { used, limit, refused }] of Object.entries(budgets)) {
      budgetUsed.set({ budget }, used);
      budgetLimit.set({ budget }, limit);
      budgetRefused.inc({ budget }, refused);
    }
    // The threads keep these counts: this copies them.
    httpBusy.reset();
    httpBusy.inc(httpThreadMs() / 1_000);
    senderBusy.reset();
    sendersReplaced.reset();
    for (const [sender, { running, busyMs, replaced }] of senders().entries()) {
      senderCalls.set({ sender }, running);
      senderBusy.inc({ sender }, busyMs / 1_000);
      sendersReplaced.inc({ sender }, replaced);
    }
    for (const { percentile, gauge } of loop) {
      // The monitor measures its own interval as well.
      const late = delays.percentile(percentile) / 1e9 - LOOP_RESOLUTION_MS / 1_000;
      gauge.set(Math.max(0, late));
    }
    delays.reset();
    memory.set(process.memoryUsage.rss());
    const { user, system } = process.cpuUsage();
    // The system keeps the count: this copies it.
    cpu.reset();
    cpu.inc((user + system) / 1e6);
  }

  return {
    request({ method, route, status, ms }) {
      requests.inc({ method, route, status });
      requestSeconds.observe({ method, route }, ms / 1_000);
    },
    attempt(outcome, ms) {
      attempts.inc({ outcome });
      attemptSeconds.observe(ms / 1_000);
    },
    delivered: (ms) => deliverySeconds.observe(ms / 1_000),
    commit: (units) => commitUnits.observe(units),
    async render() {
      await update();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    close: () => delays.disable(),
  };
}

function sizeOf(file: string | null): number {
  return file === null ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
}
