import type { Deps } from '../context.ts';
import type { ServerConfig } from '../config/config.ts';
import { createIds } from '../ids.ts';
import { createBudgets } from '../limits/byte-budget.ts';
import { createLogger } from '../log/log.ts';
import { createMailer } from '../mail.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { CallReader } from '../providers/calls/call-reader.ts';
import { providers } from '../providers/registry.ts';
import { Passwords } from '../secrets/passwords.ts';
import { StatsCounter } from '../services/workspaces/stats-counter.ts';
import { createServerInfo } from '../start/server-info.ts';
import type { Opened } from '../start/storage/open-storage.ts';
import type { LeasedDelivery } from '../delivery/delivery-store.ts';
import { leaseEnd } from '../domain/lease.ts';
import { isoTime } from '../domain/time.ts';
import { respondAsTool } from './tool-apis.ts';
import type { Random } from './random.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** The owner of leases while the history is written. */
export const WRITER = 'seed';

/** The server's own parts, with a virtual clock and a simulated network. */
export interface World {
  readonly deps: Deps;
  readonly clock: VirtualClock;
  /** New deliveries, leased to this process, which `passTime` attempts. */
  readonly offered: LeasedDelivery[];
  /** True when a job was enqueued; `passTime` resets it when it runs the jobs. */
  hasJobs: boolean;
  close(): void;
}

interface Parts {
  config: ServerConfig;
  opened: Pick<Opened, 'store' | 'vault'>;
  clock: VirtualClock;
  random: Random;
}

// Nobody logs in with these passwords: they are random, and are not kept.
const UNUSED_PASSWORDS = { N: 2, r: 8, p: 1 };
// The time that Slack takes to respond.
const TOOL_MS = [160, 420] as const;

/** Puts the server's parts together for a history in the past. Nothing in it reaches the network. */
export function createWorld({ config, opened: { store, vault }, clock, random }: Parts): World {
  // Warnings of a week in the past would alarm the operator of a new server.
  const log = createLogger({ ...config, logLevel: 'error' });
  const budgets = createBudgets(config.memoryBudget);
  const metrics = createMetrics({
    budgets: { ...budgets },
    queue: async () => ({ due: 0, scheduled: 0, oldestDueMs: 0 }),
    jobs: async () => ({ levels: [], oldestDueMs: 0 }),
    senders: () => [],
    httpThreadMs: () => 0,
    walFile: null,
    backups: () => null,
    certificate: () => null,
  });
  const offered: LeasedDelivery[] = [];
  const world: World = {
    clock,
    offered,
    hasJobs: false,
    close: () => metrics.close(),
    deps: {
      store,
      vault,
      clock: clock.now,
      ids: createIds(clock.now, random.fill),
      log,
      mail: createMailer({ mailFrom: config.mailFrom, smtpUrl: undefined }, log),
      passwords: new Passwords(UNUSED_PASSWORDS),
      metrics,
      stats: new StatsCounter(),
      async providerHttp(request) {
        clock.pass(random.integer(...TOOL_MS));
        const response = respondAsTool(request);
        if (!response) throw new Error(`${request.url} is not a simulated tool.`);
        return response;
      },
      budgets,
      providers,
      calls: new CallReader({ onDeath: () => {} }),
      refreshes: new Map(),
      // Providers cannot check invented credentials.
      config: { ...config, credentialCheck: 'skip' },
      serverInfo: createServerInfo(config, clock.now(), { log }),
      publicUrl: () => config.publicUrl ?? `http://${config.host}:${config.port}`,
      engine: {
        wake: () => {},
        prefetch: () => ({
          lease: { owner: WRITER, until: isoTime(leaseEnd(clock.now().getTime())) },
          takes: () => true,
        }),
        offer: (deliveries) => void offered.push(...deliveries),
      },
      jobs: {
        wake: () => {
          world.hasJobs = true;
        },
        fairDueAt: (_kind, _workspaceId, now) => now,
        leaseFor: () => null,
        offer: () => {},
      },
      announce: () => {},
    },
  };
  return world;
}
