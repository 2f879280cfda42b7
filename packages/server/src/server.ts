import { join } from 'node:path';
import { ScheduledBackups } from './backups/scheduled-backups.ts';
import { openCertificates } from './certificates/open-certificates.ts';
import { systemTimer } from './clock/timer.ts';
import type { ServerConfig } from './config/config.ts';
import type { Deps } from './context.ts';
import { StorageUnavailable } from './domain/faults/storage-unavailable.ts';
import { DeliveryEngine } from './delivery/engine.ts';
import { PrefetchBuffer } from './delivery/prefetch/prefetch-buffer.ts';
import { SenderPool } from './delivery/senders/sender-pool.ts';
import { EventFeed } from './services/events/event-feed.ts';
import { createApp, createRefuse } from './http/app.ts';
import { loadDashboard } from './http/dashboard.ts';
import { DRAIN_MS } from './http/front/node-server.ts';
import { createListeners } from './http/listeners/listeners.ts';
import { tlsWarnings } from './http/listeners/tls-files.ts';
import { RequestLimits } from './http/request-limits.ts';
import { BodyReader } from './http/request/body-reader.ts';
import { createIds } from './ids.ts';
import { JobRunner } from './jobs/runner.ts';
import { FairOrder } from './jobs/fair-order.ts';
import { createBudgets, shareOf } from './limits/byte-budget.ts';
import { processLimiter } from './limits/rate-limiter.ts';
import { sharedLimiter } from './limits/shared-rate-limiter.ts';
import { createLogger, type Logger, type ServerLog } from './log/log.ts';
import { createMailer } from './mail.ts';
import { createMetrics } from './metrics/metrics.ts';
import { CallReader } from './providers/calls/call-reader.ts';
import { providers } from './providers/registry.ts';
import type { Resolve } from './outbound/http-client.ts';
import { lookUpBySystem, NameLookups } from './outbound/pool/name-lookups.ts';
import { createNameServersCheck } from './outbound/pool/name-servers.ts';
import { Passwords } from './secrets/passwords.ts';
import { createDeliveryStore } from './services/delivery-store/create-delivery-store.ts';
import { Readiness } from './services/operations/health.ts';
import { Idempotency } from './services/idempotency.ts';
import { KeyUsage } from './services/identity/key-usage.ts';
import { issueSetupToken } from './services/workspaces/setup.ts';
import { noteStart } from './services/operations/note-start.ts';
import { createJobLevels, createQueueLevels } from './services/operations/queue-levels.ts';
import { StatsCounter } from './services/workspaces/stats-counter.ts';
import { closeKeys } from './data-directory/close-keys.ts';
import { surroundingsOf, warningsOf } from './data-directory/start-warnings.ts';
import { countSenders, hasHttpThread } from './config/threads.ts';
import { jobKinds } from './start/job-kinds.ts';
import { explainStorageError } from './start/storage/explain-storage-error.ts';
import { openLocked } from './start/storage/open-locked.ts';
import { Closing } from './start/closing.ts';
import { openProviderHttp } from './start/open-provider-http.ts';
import { joinPeers, sendDueHints } from './start/peers.ts';
import { watchCommits } from './start/watch-commits.ts';
import { requireLimits } from './config/require-limits.ts';
import { createServerInfo } from './start/server-info.ts';
import type { ServerOverrides } from './start/server-overrides.ts';
import { USER_AGENT } from './assets/version.ts';

/** A server that is listening. */
export interface RunningServer extends AsyncDisposable {
  /** The URL at which it listens. */
  url: string;
  /** The URL that redirects there from plain HTTP; `null` without a domain. */
  plainUrl: string | null;
  /** The URL at which its API begins. */
  baseUrl: string;
  /** The URL at which others reach it. */
  publicUrl: string;
  /** False if the dashboard and its /docs were not built, as in a fresh clone. */
  hasDashboard: boolean;
  /** The one-time link that makes the first owner; `null` when there is a user already. */
  setupUrl: string | null;
  /**
   * Resolves when the server should be stopped: with a `DiskFailure` if nothing can be stored anymore (reads continue,
   * writes get 503), otherwise with the error that `fail` was given.
   */
  failed: Promise<Error>;
  /** Reports an unhandled error to the log and to `failed`. */
  fail(error: unknown): void;
  /** Finishes the requests under way, waits up to 30 s for attempts under way, and closes the database. */
  stop(): Promise<void>;
}

// A client that reads nothing of its response for this long is cut off. A phone that changes networks is back by then. Clients that
// are cut off retry, and streams resume where they were.
const STALL_MS = 15_000;
// The time for a response whose call to a provider ended because the server stops.
const RESPONDING_MS = 1_000;

/**
 * Starts a server: the only place where its parts are put together. Throws `ConfigError` when a setting cannot be used.
 */
export async function startServer(
  config: ServerConfig,
  overrides: ServerOverrides = {},
): Promise<RunningServer> {
  const log = createLogger(config);
  const closing = new Closing(log);
  try {
    return await start({ config, overrides, log, closing });
  } catch (error) {
    // The reason why it did not start is the error to report. One that follows from it is in the log.
    await closing.close().catch(() => {});
    // Other files are named by their errors. Those of PostgreSQL may come as they are.
    const ofStorage = error instanceof StorageUnavailable || config.databaseUrl !== undefined;
    throw ofStorage ? await explainStorageError(error, config) : error;
  }
}

interface Start {
  config: ServerConfig;
  overrides: ServerOverrides;
  log: ServerLog;
  /** Closes what has been opened. */
  closing: Closing;
}

async function start({ config, overrides, log, closing }: Start): Promise<RunningServer> {
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>();
  // Checked before anything is opened.
  requireLimits(config);
  const warnings = [...(overrides.warnings ?? []), ...tlsWarnings(config, overrides.clock?.() ?? new Date())];

  const budgets = createBudgets(config.memoryBudget);
  const prefetchBuffer = new PrefetchBuffer({ bytes: shareOf(config.memoryBudget, 'prefetch') });
  const names = openNames(overrides);
  closing.add('the lookups of names', () => names.stop());
  const senders = openSenders(config, { ...overrides, resolve: names.resolve }, log);
  closing.add('the senders', () => senders.destroy());
  // These functions use `store` and others that are opened below: nobody calls them before somebody asks for metrics.
  const metrics = createMetrics({
    budgets: { ...budgets, prefetch: prefetchBuffer },
    queue: createQueueLevels(() => ({ store, clock })),
    jobs: createJobLevels(() => ({ store, clock })),
    senders: () => senders.levels,
    httpThreadMs: () => http.busyMs(),
    walFile: config.databaseUrl === undefined ? join(config.data, 'hubline.db-wal') : null,
    backups: () => backups?.schedule ?? null,
    certificate: () => certificates?.renewal.status ?? null,
  });
  closing.add('the metrics', () => metrics.close());

  const storage = await openLocked(config, overrides.clock?.() ?? new Date(), {
    metrics,
    onFailure(failure) {
      log.error({ err: failure }, failure.message);
      fail(failure);
    },
  });
  const { store, vault, lock, migrationBackup, migrated } = storage;
  closing.add('the lock of the data directory', () => lock.release());
  closing.add('the database', () => store.close());
  // The clocks of machines differ by seconds: several processes on one database use the clock of the database.
  const { peers } = store;
  const clock = overrides.clock ?? (peers ? () => peers.clock() : () => new Date());
  const monotonic =
    overrides.monotonic ?? (overrides.clock ? () => clock().getTime() : () => performance.now());
  const { timer = systemTimer, ca } = overrides;
  for (const warning of warningsOf(config, surroundingsOf(config, clock()))) log.warn({}, warning);
  if (migrated.length > 0)
    log.info({ steps: migrated, backup: migrationBackup }, 'migrated the database of an older version');
  const backups = await ScheduledBackups.open(config, { store, clock });
  const certificates = openCertificates(config, { clock, timer, log, ca });
  for (const warning of closeKeys(config.data)) log.warn({}, warning);

  const mail = createMailer(config, log);
  closing.add('the connection to the mail server', () => mail.close());
  // Two clients, because the calls of requests end before those of jobs when the server stops.
  const ofJobs = openProviderHttp(config, { ...overrides, resolve: names.resolve });
  const ofRequests = openProviderHttp(config, { ...overrides, resolve: names.resolve });
  closing.add('the connections to providers', () => {
    ofJobs.destroy();
    ofRequests.destroy();
  });
  const calls = new CallReader({
    program: overrides.callProgram,
    onDeath: (reason) => log.error({ err: reason }, 'the thread that reads long calls ended'),
  });
  closing.add('the thread that reads long calls', () => calls.end());
  const ids = createIds(clock);
  const feed = new EventFeed();
  const fairOrder = new FairOrder();
  const newLimiter = peers ? sharedLimiter(peers) : processLimiter;
  let url = '';
  const deps: Deps = {
    store,
    clock,
    ids,
    log,
    vault,
    mail,
    passwords: new Passwords(overrides.passwordCost, newLimiter),
    metrics,
    stats: new StatsCounter(),
    providerHttp: ofJobs.request,
    budgets,
    refreshes: new Map(),
    providers,
    calls,
    config,
    serverInfo: createServerInfo(config, clock(), {
      log,
      backupSchedule: () => backups?.schedule ?? null,
      certificate: () => certificates?.renewal.status ?? null,
      commandLine: overrides.commandLine,
    }),
    publicUrl: () => config.publicUrl ?? url,
    engine: {
      wake(webhooks) {
        engine.wake(webhooks);
        if (peers) sendDueHints(peers, webhooks, clock().getTime());
      },
      prefetch: () => engine.prefetch(),
      offer: (deliveries, lease) => engine.offer(deliveries, lease),
    },
    jobs: {
      wake() {
        jobs.wake();
        peers?.send({ of: 'jobs' });
      },
      fairDueAt: (...job) => fairOrder.next(...job),
      leaseFor: (kind) => jobs.leaseFor(kind),
      offer: (job) => jobs.offer(job),
    },
    announce(id) {
      feed.announce(id);
      peers?.send({ of: 'changed', id });
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
      buffer: prefetchBuffer,
      timer,
      monotonic,
      ...(overrides.attemptTimeoutMs ? { attemptTimeoutMs: overrides.attemptTimeoutMs } : {}),
    },
  );
  const kinds = jobKinds(backups, { everyMs: overrides.housekeepingEveryMs, monotonic });
  const jobs = new JobRunner(deps, { kinds, owner, timer, monotonic });

  const keyUsage = new KeyUsage(deps);
  closing.add('the record of the use of API keys', () => keyUsage.stop());
  let draining = false;
  const dashboard = loadDashboard(overrides.dashboard);
  const httpDeps = {
    ...deps,
    providerHttp: ofRequests.request,
    idempotency: new Idempotency(deps),
    keyUsage,
    bodies: new BodyReader(budgets.bodies, overrides.uploads),
    stallMs: overrides.stallMs ?? STALL_MS,
    limits: new RequestLimits({ perMinute: config.rateLimit, burst: config.burst, newLimiter }),
    feed,
    dashboard,
    readiness: new Readiness(deps, monotonic),
    draining: () => draining,
  };
  const http = createListeners(config, certificates, {
    fetch: createApp(httpDeps).fetch,
    clock,
    thread: hasHttpThread(config),
    program: overrides.httpProgram,
    refuse: createRefuse(httpDeps),
    onError: (error, what) => log.error({ err: error }, what),
    onDeath(reason) {
      log.error({ err: reason }, 'the HTTP thread ended; the server should be stopped');
      fail(reason);
    },
    ...(overrides.httpTimeouts ? { timeouts: overrides.httpTimeouts } : {}),
  });
  // Claims no more work, and finishes the work under way. The engine stops after the requests: one of them may still offer deliveries.
  closing.add('the listeners, the delivery engine and the job runner', async () => {
    feed.close();
    engine.close();
    // A call to a provider may last longer than the request that waits for it. It ends first, so that the request gets a response.
    const ending = setTimeout(() => ofRequests.destroy(), DRAIN_MS - RESPONDING_MS);
    await Promise.all([http.close().then(() => engine.stop()), jobs.stop()]);
    clearTimeout(ending);
  });
  closing.add('the renewal of the certificate', () => certificates?.stop());

  const listening = await http.listen();
  ({ url } = listening);
  // Before anything is leased: the other processes must know the owner of a lease.
  if (peers) await joinPeers(peers, { engine, jobs, feed });
  await noteStart(deps, kinds);
  await engine.start();
  await jobs.start();
  // An operator may have begun a job again.
  closing.add(
    'the watch for commits of other programs',
    watchCommits(store, () => jobs.wake()),
  );
  const setupToken = await issueSetupToken(deps);
  const companion = overrides.companion?.(deps);
  closing.add('what works beside the server', () => companion?.stop());

  // Logged only now: if the start fails, its error stands alone.
  for (const warning of warnings) log.warn({}, warning);
  const { plainUrl } = listening;
  log.info({ url, ...(plainUrl !== null && { plain_url: plainUrl }), database: store.dialect }, 'listening');
  if (!mail.sends)
    log.info(
      {},
      'no mail server is set, so invitations and notifications by email are not sent: set HUBLINE_SMTP_URL',
    );

  async function shutDown(): Promise<void> {
    log.hurry();
    draining = true;
    try {
      await closing.close();
      log.info({}, 'stopped');
    } finally {
      await log.close();
    }
  }
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= shutDown());
  return {
    url,
    plainUrl,
    baseUrl: `${url}/v1`,
    publicUrl: deps.publicUrl(),
    hasDashboard: dashboard.page !== undefined,
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

/** The lookups of names, by the system unless a test replaces it. */
const openNames = ({ resolve, nameServersAnswer }: ServerOverrides): NameLookups =>
  new NameLookups(resolve ?? lookUpBySystem, {
    answers: nameServersAnswer ?? (resolve ? undefined : createNameServersCheck()),
  });

const openSenders = (
  config: ServerConfig,
  overrides: ServerOverrides & { resolve: Resolve },
  log: Logger,
): SenderPool =>
  new SenderPool({
    threads: countSenders(config),
    userAgent: USER_AGENT,
    allowHttpLocalhost: config.allowHttpLocalhost,
    resolve: overrides.resolve,
    ca: overrides.ca,
    program: overrides.senderProgram,
    log,
  });
