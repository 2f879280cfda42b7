import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrap } from '../../../src/start/bootstrap.ts';
import { parseServerConfig } from '../../../src/config.ts';
import { startProxy } from '../../api/support/proxy.ts';
import { Random } from '../../random.ts';
import { Child } from './child.ts';
import { openDatabase } from './database.ts';
import { DurableLog, readLog } from './durable-log.ts';
import { judge, type Verdict } from './judge.ts';
import { type Acknowledgement, Publishers } from './publishers.ts';
import type { ServerInput } from './server.process.ts';
import { readStored } from './stored.ts';
import { SECRET, subscribe } from './subscribe.ts';
import type { Call, Progress, WitnessInput } from './witness.process.ts';

/** Something that happens to one of several processes, or to the database under them. */
export type Blow = 'kill' | 'freeze' | 'cut' | 'restart';

/** The options of a run. */
export interface ProcessesOptions {
  seed: number;
  databaseUrl: string;
  /** How many processes share the database. */
  processes: number;
  blows: readonly Blow[];
  /** Restarts PostgreSQL, for `restart`. */
  restart?: () => Promise<void>;
  /** The server's seconds per second. Default 10: a lease of a minute ends after six seconds. */
  speed?: number;
  /** The maximum of events. Default: as many as the run allows. */
  events?: number;
  onBlow?: (line: string) => void;
}

/** The result of a run. */
export interface ProcessesReport extends Verdict {
  seed: number;
  blows: Record<string, number>;
  /** How much later than its time a retry came, in milliseconds of the servers: the 99th in a hundred, and the latest. */
  lateMs: { p99: number; max: number };
  seconds: number;
}

const WEBHOOKS = ['/first', '/second'];
const BACKLOG_MAX = 400;
const DRAIN_DEADLINE_MS = 180_000;
const POLL_MS = 20;
const [BEFORE_MIN_MS, BEFORE_MAX_MS] = [500, 1_500];
// Beyond the lease of a minute.
const FROZEN_S = 70;
// A lease, and a sweep: nothing that a dead process has left waits for longer.
const LEFT_BEHIND_S = 90;
// The first two delays of the schedule. Specification, "Delivery"
const DELAYS_S = [5, 25];

/**
 * Runs several processes on one PostgreSQL database, behind a proxy that sends each request to the next, and does them harm one after another
 * under load. Clients, receiver, database and judge are those of `runCrashes`.
 */
export async function runProcesses(options: ProcessesOptions): Promise<ProcessesReport> {
  const { seed, databaseUrl, processes, speed = 10 } = options;
  const started = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'hubline-processes-'));
  const children = new Set<Child>();
  const random = new Random(seed);
  const origin = Date.now();
  const place = { data: join(folder, 'data'), databaseUrl };
  const kills: number[] = [];
  const problems: string[] = [];
  const blows: Record<string, number> = {};
  const servers: { child: Child; url: string }[] = [];
  const targets: string[] = [];
  const file = (name: string) => join(folder, name);
  const start = (...parameters: ConstructorParameters<typeof Child>): Child => {
    const child = new Child(...parameters);
    children.add(child);
    return child;
  };

  async function serve(): Promise<void> {
    const input: ServerInput = {
      flags: {
        ...place,
        port: 0,
        allowHttpLocalhost: true,
        rateLimit: 100_000_000,
        senders: 0,
        logLevel: 'warn',
        logFormat: 'json',
      },
      speed,
      origin,
    };
    const child = start('server', { input });
    const up = await child.first<{ baseUrl: string }>();
    if (up === null)
      throw new Error(`The server ended with ${await child.ended} by itself.\n${child.errors}`);
    const url = up.baseUrl.replace(/\/v1$/, '');
    servers.push({ child, url });
    targets.push(url);
  }
  const withdraw = (url: string) => void targets.splice(targets.indexOf(url), 1);
  const hit = (times = 1) => kills.push(...Array.from({ length: times }, () => Date.now()));

  const strike: Record<Blow, () => Promise<void>> = {
    async kill() {
      const [{ child, url }] = servers.splice(random.between(0, servers.length - 1), 1) as [
        (typeof servers)[0],
      ];
      withdraw(url);
      child.kill('SIGKILL');
      await child.ended;
      hit();
      await serve();
    },
    async freeze() {
      const { child, url } = servers[random.between(0, servers.length - 1)] as (typeof servers)[0];
      // As a health check does.
      withdraw(url);
      child.kill('SIGSTOP');
      hit();
      await sleep((FROZEN_S * 1_000) / speed);
      child.kill('SIGCONT');
      // It ends what it had begun, which others have taken over.
      hit();
      targets.push(url);
    },
    async cut() {
      const database = await openDatabase(place);
      hit(processes);
      await database.run(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await database.close();
    },
    async restart() {
      hit(processes);
      await options.restart?.();
    },
  };

  const proxy = await startProxy(targets);
  try {
    const config = parseServerConfig(place, {});
    const owner = await bootstrap(config, { email: 'owner@example.com', name: 'Acme', slug: 'acme' });
    const [apiKey, workspaceId] = [owner.api_key, owner.workspace_id ?? ''];
    let delivered = 0;
    const input: WitnessInput = {
      log: file('witness.log'),
      mailLog: file('mails.log'),
      secret: SECRET,
      failures: 2,
    };
    const witness = start('witness', { input }, (message: Progress) => {
      delivered = message.seen ?? delivered;
    });
    const { url: witnessUrl = '' } = (await witness.first<Progress>()) ?? {};
    await Promise.all(Array.from({ length: processes }, () => serve()));
    const log = new DurableLog(file('acknowledged.log'));
    const publishers = new Publishers({
      apiKey,
      workspaceId,
      log,
      random,
      most: options.events ?? Number.POSITIVE_INFINITY,
      crowded: (acknowledged) => acknowledged * WEBHOOKS.length - delivered > BACKLOG_MAX,
    });
    const baseUrl = `${proxy.url}/v1`;
    const webhooks = new Map<string, string>();
    for (const path of WEBHOOKS)
      webhooks.set(path, await subscribe(baseUrl, { apiKey, workspaceId, witness: witnessUrl, path }));
    publishers.serve(baseUrl);
    publishers.start();
    for (const blow of options.blows) {
      await sleep(random.between(BEFORE_MIN_MS, BEFORE_MAX_MS));
      await strike[blow]();
      blows[blow] = (blows[blow] ?? 0) + 1;
      options.onBlow?.(`${blow}; ${publishers.acknowledged.size} acknowledged`);
    }
    await publishers.stop();
    const database = await openDatabase(place);
    const open = () => database.all('select 1 from deliveries where due_at is not null limit 1');
    const deadline = Date.now() + DRAIN_DEADLINE_MS;
    while ((await open()).length > 0 && Date.now() < deadline) await sleep(POLL_MS);
    for (const { child } of servers) {
      child.kill('SIGTERM');
      const end = await child.ended;
      if (end !== 0) problems.push(`SIGTERM ended a server with ${end}: ${child.errors}`);
    }
    log.close();
    const calls = readLog<Call>(file('witness.log'));
    const verdict = judge({
      acknowledged: readLog<Acknowledgement>(file('acknowledged.log')),
      asked: publishers.asked,
      calls,
      stored: await readStored(database),
      aged: { events: [], deliveries: [], attempts: [] },
      webhooks,
      kills,
      realTime: (stored) => origin + (Date.parse(stored) - origin) / speed,
      takenOver: 0,
    });
    await database.close();
    const late = lateness(calls, speed);
    const max = late.at(-1) ?? 0;
    if (max > LEFT_BEHIND_S * 1_000)
      problems.push(`a retry came ${Math.round(max / 1_000)} s after its time`);
    return {
      ...verdict,
      violations: [...problems, ...publishers.complaints, ...verdict.violations],
      seed,
      blows,
      lateMs: { p99: late[Math.floor(late.length * 0.99)] ?? 0, max },
      seconds: (performance.now() - started) / 1_000,
    };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all([...children].map((child) => child.ended));
    await proxy.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** By how many milliseconds of the servers' time retries came after their time, in order. */
function lateness(calls: readonly Call[], speed: number): number[] {
  const late: number[] = [];
  for (const made of Map.groupBy(calls, ({ id }) => id).values())
    for (const { attempt, at } of made) {
      const before = made.filter((one) => one.attempt === attempt - 1).at(-1);
      const delay = DELAYS_S[attempt - 2];
      if (before && delay !== undefined) late.push((at - before.at) * speed - delay * 1_000);
    }
  return late.toSorted((a, b) => a - b);
}
