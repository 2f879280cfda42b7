import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ScheduledBackups } from './backups/scheduled-backups.ts';
import { createBudgets, shareOf } from './limits/byte-budget.ts';
import { type Certificates, openCertificates } from './certificates/open-certificates.ts';
import { readTls, type ServerConfig } from './config.ts';
import type { Deps } from './context.ts';
import type { Peers } from './db/core/peers.ts';
import type { DueWebhook } from './delivery/delivery-store.ts';
import { countHere } from './limits/rate-limiter.ts';
import { countTogether } from './limits/shared-rate-limiter.ts';
import { lockDataDirectory } from './start/data-directory.ts';
import { DeliveryEngine } from './delivery/engine.ts';
import { PrefetchBuffer } from './delivery/prefetch-buffer.ts';
import { systemTimer, type Timer } from './clock/timer.ts';
import { EventFeed } from './event-feed.ts';
import { createApp, createRefuse } from './http/app.ts';
import { BodyReader, type UploadPace } from './http/request/body-reader.ts';
import { loadDashboard } from './http/dashboard.ts';
import type { HttpTimeouts } from './http/http-server.ts';
import { createListeners } from './http/listeners.ts';
import { RequestLimits } from './http/request-limits.ts';
import { createIds } from './ids.ts';
import { JobRunner } from './jobs/runner.ts';
import { createLogger } from './log/log.ts';
import { createMailer } from './mail.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { openStorage } from './start/open-storage.ts';
import type { Sender } from './delivery/senders/call.ts';
import { SenderPool } from './delivery/senders/sender-pool.ts';
import { createDispatcher, type Resolve } from './outbound/dispatcher.ts';
import type { Outbound } from './outbound/outbound.ts';
import { createOutbound } from './outbound/outbound-http.ts';
import { providers } from './providers/registry.ts';
import { automationRunJob } from './services/automations/runs/run-job.ts';
import { automationScheduleJob } from './services/automations/triggers/schedule.ts';
import { createDeliveryStore } from './services/delivery-store/delivery-store.ts';
import { Readiness } from './services/health.ts';
import { housekeepingJob } from './services/housekeeping.ts';
import { Idempotency } from './services/idempotency.ts';
import { KeyUsage } from './services/identity/key-usage.ts';
import { mailJob } from './services/mail-job.ts';
import { type HashCost, Passwords } from './secrets/passwords.ts';
import { createJobLevels, createQueueLevels } from './services/queue-levels.ts';
import { digestJob } from './services/notifications/messages/digest-job.ts';
import { matchRulesJob } from './services/notifications/rules/match-job.ts';
import { sendMessageJob } from './services/notifications/messages/send-job.ts';
import { renewHookJob } from './services/integrations/renew-hook.ts';
import { removeHookJob, undoRegistrationJob } from './services/integrations/provider-hooks.ts';
import { catchUpAllJob, noteAliveJob, noticeDowntime } from './services/integrations/sync/after-downtime.ts';
import { catchUpJob } from './services/integrations/sync/job.ts';
import { recoveryJob } from './services/webhooks/recovery-job.ts';
import { issueSetupToken } from './services/identity/setup.ts';
import { surroundingsOf, warningsOf } from './start/warn-of-place.ts';
import { createServerFacts } from './start/server-facts.ts';
import type { ServerCommandLine } from './server-facts.ts';
import { StatsCounter } from './services/workspaces/stats-counter.ts';
import { USER_AGENT } from './version.ts';

/** A server that is listening. */
export interface RunningServer extends AsyncDisposable {
  /** The URL at which it listens. */
  url: string;
  /** The URL that leads there from plain HTTP; `null` without a domain. */
  plainUrl: string | null;
  /** The URL at which its API begins. */
  baseUrl: string;
  /** The one-time link that makes the first owner; `null` when there is a user already. */
  setupUrl: string | null;
  /**
   * Resolves when the server should be stopped: with a `DiskFailure` if nothing can be stored any more (reads go on, writes answer
   * 503), otherwise with what `fail` was told.
   */
  failed: Promise<Error>;
  /** Is told by the owner of the process of an error that nobody handled: it goes to the log and to `failed`. */
  fail(error: unknown): void;
  /** Answers what was begun, waits for attempts under way, at most 30 s, and closes the database. */
  stop(): Promise<void>;
}

/** Something that works beside a server. */
export interface Companion {
  /** Ends, and waits for what is under way. */
  stop(): Promise<void>;
}

/** The parts that tests and the seed replace. */
export interface ServerOverrides {
  /** Default: the system's clock. */
  clock?: () => Date;
  /** Wakes the delivery engine and the job runner when something is due. Default: the system's timers. */
  timer?: Timer;
  /** Milliseconds of a clock that nobody sets. Default: `performance.now`, or `clock`, where that is given. */
  monotonic?: () => number;
  /** Answers the names of URLs that users give. Default: the system's resolver. */
  resolve?: Resolve;
  /** Certificate authorities to trust instead of Node's own, in PEM: for receivers, and for who gives certificates. */
  ca?: string;
  /** Stands before the senders: takes calls, or passes them on. */
  sender?: (senders: Sender) => Sender;
  /** Stands before the way out to providers: takes requests, or passes them on. */
  outbound?: (outbound: Outbound) => Outbound;
  /** Works beside the server, with its parts, until it stops. */
  companion?: (deps: Deps) => Companion;
  /** The program of a sender's thread. Default: the server's own. */
  senderProgram?: URL;
  /** The deadline of an attempt, in milliseconds. Default: the specification's 30 s. */
  attemptTimeoutMs?: number;
  /** How long a request may take to arrive. Default: 10 s for its headers, 90 s in all. */
  httpTimeouts?: Partial<HttpTimeouts>;
  /** The deadline of one call of a provider's API, in milliseconds. Default: 10 s. */
  providerTimeoutMs?: number;
  /** How fast bodies have to come. */
  uploads?: Partial<UploadPace>;
  /** How long a client may take nothing of a large answer or a stream, in milliseconds. Default: 15 s. */
  stallMs?: number;
  /** The cost of hashing a password. Default: OWASP's recommendation, a quarter of a second. */
  passwordCost?: HashCost;
  /** The command line that started it, for what its operator may paste. Default: that of an installed program. */
  commandLine?: Partial<ServerCommandLine>;
  /** The folder of the built dashboard, with a slash at its end. Default: where its build puts itself. */
  dashboard?: string;
  /** How often what is old is removed, in milliseconds. Default: 10 minutes. */
  housekeepingEveryMs?: number;
}

// A phone that changes its network is back by then. Whoever is cut off asks again, and a stream goes on where it was.
const STALL_MS = 15_000;
// Each takes some 20 MB; beyond this, storage is what limits the rate.
const AUTO_SENDERS_MAX = 8;

/**
 * Starts a server: the only place where its parts are put together. Throws `ConfigError` when something that it was given
 * cannot be used.
 */
export async function startServer(
  config: ServerConfig,
  overrides: ServerOverrides = {},
): Promise<RunningServer> {
  const monotonic = overrides.monotonic ?? (overrides.clock ? () => clock().getTime() : undefined);
  const log = createLogger(config);
  // Refused before anything is opened.
  readTls(config);
  const budgets = createBudgets(config.memoryBudget);
  const senders = new SenderPool({
    threads: config.senders === 'auto' ? autoSenders() : config.senders,
    userAgent: USER_AGENT,
    allowHttpLocalhost: config.allowHttpLocalhost,
    resolve: overrides.resolve,
    ca: overrides.ca,
    program: overrides.senderProgram,
    log,
  });
  const prefetch = new PrefetchBuffer({ bytes: shareOf(config.memoryBudget, 'prefetch') });
  const metrics = createMetrics({
    budgets: { ...budgets, prefetch },
    queue: createQueueLevels(() => ({ store, clock })),
    jobs: createJobLevels(() => ({ store, clock })),
    senders: () => senders.levels,
    walFile: config.databaseUrl === undefined ? join(config.data, 'hubline.db-wal') : null,
    backups: () => backups?.schedule ?? null,
    certificate: () => certificates?.renewal.status ?? null,
  });
  let backups: ScheduledBackups | null = null;
  let certificates: Certificates | null = null;
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>();
  const { store, vault, lock, migrationBackup, migrated } = await open(
    config,
    overrides.clock?.() ?? new Date(),
    {
      metrics,
      onFailure(failure) {
        log.error({ err: failure }, failure.message);
        fail(failure);
      },
    },
  ).catch(async (error: unknown) => {
    await senders.destroy();
    throw error;
  });
  // Machines differ by seconds: what several processes decide by time, they decide by the clock of their database.
  const { peers } = store;
  const clock = overrides.clock ?? (peers ? () => peers.clock() : () => new Date());
  for (const warning of warningsOf(config, surroundingsOf(config, clock()))) log.warn({}, warning);
  if (migrated.length > 0)
    log.info({ steps: migrated, backup: migrationBackup }, 'migrated the database of an older version');
  try {
    return await assemble();
  } catch (error) {
    await senders.destroy();
    await store.close();
    metrics.close();
    lock.release();
    if (config.databaseUrl === undefined) throw error;
    const { explainDatabaseError } = await import('./start/explain-database-error.ts');
    throw explainDatabaseError(error, config.databaseUrl);
  }

  async function assemble(): Promise<RunningServer> {
    backups = await ScheduledBackups.open(config, store);
    const { timer = systemTimer, ca } = overrides;
    certificates = openCertificates(config, { clock, timer, log, ca });
    const ids = createIds(clock);
    const mail = createMailer(config, log);
    const policy = { allowHttpLocalhost: config.allowHttpLocalhost };
    const guarded = { policy, ...(overrides.resolve ? { resolve: overrides.resolve } : {}) };
    const forProviders = createDispatcher(guarded);
    const trusted = createDispatcher({ policy: null });
    const feed = new EventFeed();
    const newLimiter = peers ? countTogether(peers) : countHere;
    const stats = new StatsCounter({ store, clock, log });
    let url = '';
    const outbound = createOutbound({
      guarded: forProviders,
      trusted,
      userAgent: USER_AGENT,
      timeoutMs: overrides.providerTimeoutMs,
    });
    const deps: Deps = {
      store,
      clock,
      ids,
      log,
      vault,
      mail,
      passwords: new Passwords(overrides.passwordCost, newLimiter),
      metrics,
      stats,
      outbound: overrides.outbound?.(outbound) ?? outbound,
      budgets,
      providers,
      config,
      facts: createServerFacts(config, clock(), {
        log,
        backupSchedule: () => backups?.schedule ?? null,
        certificate: () => certificates?.renewal.status ?? null,
        commandLine: overrides.commandLine,
      }),
      publicUrl: () => config.publicUrl ?? url,
      wake(webhooks) {
        engine.wake(webhooks);
        if (peers) tellDue(peers, webhooks, clock().getTime());
      },
      prefetch: () => engine.prefetch(),
      offer: (deliveries, lease) => engine.offer(deliveries, lease),
      wakeJobs() {
        jobs.wake();
        peers?.tell({ of: 'jobs' });
      },
      jobLease: (kind) => jobs.leaseFor(kind),
      offerJob: (job) => jobs.offer(job),
      announce(id) {
        feed.announce(id);
        peers?.tell({ of: 'news', id });
      },
    };
    const name = ids('run');
    const owner = peers ? () => peers.owner() : () => name;
    const engine = new DeliveryEngine(
      { clock, log, budgets },
      {
        store: createDeliveryStore(deps),
        sender: overrides.sender?.(senders) ?? senders,
        owner,
        buffer: prefetch,
        ...(overrides.timer ? { timer: overrides.timer } : {}),
        ...(monotonic ? { monotonic } : {}),
        ...(overrides.attemptTimeoutMs ? { attemptTimeoutMs: overrides.attemptTimeoutMs } : {}),
      },
    );
    const jobs = new JobRunner(deps, {
      kinds: [
        mailJob,
        removeHookJob,
        undoRegistrationJob,
        renewHookJob,
        recoveryJob,
        catchUpJob,
        catchUpAllJob,
        noteAliveJob,
        automationRunJob,
        automationScheduleJob,
        matchRulesJob,
        sendMessageJob(),
        digestJob,
        housekeepingJob(overrides.housekeepingEveryMs),
        ...(backups === null ? [] : [backups.job]),
      ],
      owner,
      timer,
      monotonic: monotonic ?? (() => performance.now()),
    });
    const keyUsage = new KeyUsage(deps);
    let draining = false;
    const httpDeps = {
      ...deps,
      idempotency: new Idempotency(deps),
      keyUsage,
      bodies: new BodyReader(budgets.bodies, overrides.uploads),
      stallMs: overrides.stallMs ?? STALL_MS,
      limits: new RequestLimits({ perMinute: config.rateLimit, burst: config.burst, newLimiter }),
      feed,
      dashboard: loadDashboard(overrides.dashboard),
      readiness: new Readiness(deps, monotonic),
      draining: () => draining,
    };
    const app = createApp(httpDeps);
    const http = createListeners(config, certificates, {
      fetch: app.fetch,
      clock,
      refuse: createRefuse(httpDeps),
      onError: (error, what) => log.error({ err: error }, what),
      ...(overrides.httpTimeouts ? { timeouts: overrides.httpTimeouts } : {}),
    });

    let companion: Companion | undefined;
    /** Ends what was begun; until then nothing more is claimed. */
    async function drain(): Promise<void> {
      draining = true;
      await companion?.stop();
      await certificates?.stop();
      feed.close();
      engine.close();
      // The engine not before the requests: one that was under way may still offer deliveries.
      await Promise.all([http.close().then(() => engine.stop()), jobs.stop()]);
      await keyUsage.stop();
      await stats.stop();
      mail.close();
      await Promise.all([forProviders, trusted].map((dispatcher) => dispatcher.destroy()));
    }
    let setupToken: string | null;
    let plainUrl: string | null;
    try {
      ({ url, plainUrl } = await http.listen());
      // Before anything is leased, so that the leases are of somebody whom the others see.
      await peers?.join({
        news: (id) => feed.announce(id),
        due: (hints) => engine.expect(hints),
        jobs: () => jobs.lookSoon(),
        lookAround() {
          engine.lookAround();
          jobs.lookSoon();
          feed.announceAll();
        },
        async gone(owners) {
          await engine.takeOver(owners);
          await jobs.takeOver(owners);
          feed.announceAll();
        },
      });
      await engine.start();
      await noticeDowntime(deps);
      await jobs.start();
      setupToken = await issueSetupToken(deps);
      companion = overrides.companion?.(deps);
    } catch (error) {
      await drain();
      throw error;
    }
    log.info(
      { url, ...(plainUrl !== null && { plain_url: plainUrl }), database: store.dialect },
      'listening',
    );
    if (!mail.sends)
      log.info(
        {},
        'no mail server is set, so invitations and notifications by email are not sent: set HUBLINE_SMTP_URL',
      );

    async function shutDown(): Promise<void> {
      log.hurry();
      await drain();
      await store.close();
      metrics.close();
      lock.release();
      log.info({}, 'stopped');
      await log.close();
    }
    let stopping: Promise<void> | undefined;
    const stop = () => (stopping ??= shutDown());
    return {
      url,
      plainUrl,
      baseUrl: `${url}/v1`,
      setupUrl: setupToken === null ? null : `${deps.publicUrl()}/setup?token=${setupToken}`,
      failed,
      fail(error) {
        log.error({ err: error }, 'an error was not handled; the server should be stopped');
        fail(error instanceof Error ? error : new Error(String(error)));
      },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  }
}

/**
 * Tells the other processes that deliveries are due: they have them where this one does not take them. Not new ones: to look for those
 * they would have to leave their own out of the prefetch buffer, and they look when this process is gone.
 */
function tellDue(peers: Peers, webhooks: Iterable<DueWebhook>, dueAt: number): void {
  for (const { webhookId, workspaceId, part } of webhooks)
    if (part !== 'initial') peers.tell({ of: 'due', webhookId, workspaceId, part: 'retry', dueAt });
}

/** A thread for each core but the one of the main thread. */
const autoSenders = () => Math.min(availableParallelism() - 1, AUTO_SENDERS_MAX);

async function open(
  config: ServerConfig,
  now: Date,
  { metrics, onFailure }: { metrics: Metrics; onFailure: (failure: Error) => void },
) {
  // SQLite has one server; on PostgreSQL the claims keep several apart.
  const lock = config.databaseUrl === undefined ? lockDataDirectory(config.data) : { release: () => {} };
  try {
    return { ...(await openStorage(config, now, { onCommit: metrics.commit, onFailure })), lock };
  } catch (error) {
    metrics.close();
    lock.release();
    throw error;
  }
}
