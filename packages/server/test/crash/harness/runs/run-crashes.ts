import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrap } from '../../../../src/start/bootstrap.ts';
import type { PlantedBug } from '../../../../src/chaos/planted-bugs.ts';
import { parseServerConfig } from '../../../../src/config/config.ts';
import { tryBackup } from './backup-trial.ts';
import { duringCheckpoint } from '../checkpoint-watch.ts';
import { Child } from '../child.ts';
import { crashAt, type Death, isBackupPoint, isServerPoint, needsSender, planDeaths } from './crash-plan.ts';
import { openDatabase, type StorageLocation, problemsOf, sqliteFile } from '../database.ts';
import { DurableLog, readLog } from '../durable-log.ts';
import { type Invited, Inviter } from '../clients/inviter.ts';
import { judge, type Verdict } from '../judge/judge.ts';
import { judgeMails, type Mailed } from '../judge/judge-mails.ts';
import { type Acknowledgment, Publishers } from '../clients/publishers.ts';
import { Random } from '../../../random.ts';
import type { ServerInput } from '../server.process.ts';
import { SECRET, subscribe } from '../clients/subscribe.ts';
import { age, readCounted, readStored, type Stored } from '../judge/stored.ts';
import type { Call, Progress, WitnessInput } from '../witness.process.ts';

/** The options of a run. */
export interface CrashOptions {
  /** Repeats a run: the kinds and times of the deaths follow from it. */
  seed: number;
  /** The number of kills. */
  cycles: number;
  /** Replaces the plan that the seed makes. */
  deaths?: readonly Death[];
  /** A PostgreSQL database. Default: SQLite in a temporary folder. */
  databaseUrl?: string | undefined;
  /** The bug to plant in the server. */
  bug?: PlantedBug | undefined;
  /** Seconds of the server's clock per real second. Default 10: a lease of a minute ends after six seconds. */
  speed?: number;
  /** The most failed attempts of a delivery. Default 2; with 5, deliveries fail for good, which takes longer. */
  failures?: number;
  /** The most events to publish. Default: as many as the servers' lives allow. */
  events?: number;
  /** See the witness. Every delivery is then repeated once without a kill. */
  holdFirst?: boolean;
  /** See the witness. Every delivery may be repeated once without a kill. */
  failFirst?: boolean;
  /** Called for every death. */
  onDeath?: (line: string) => void;
}

/** The result of a run. */
export interface CrashReport extends Verdict {
  seed: number;
  /** The number of deaths of each kind. */
  deaths: Record<string, number>;
  /** Deaths that were caused at another time, because the planned one never came. */
  missed: string[];
  seconds: number;
}

const WEBHOOKS = ['/first', '/second'];
const DEFAULT_SPEED = 10;
// Publishing waits for deliveries, so that there is always something to deliver and never too much.
const BACKLOG_MAX = 400;
// The harness kills a server whose planned death has not come after this time. On a busy machine, it takes long until the log
// is large enough for a checkpoint.
const POINT_DEADLINE_MS = 120_000;
const DRAIN_DEADLINE_MS = 120_000;
const POLL_MS = 20;
// The time for the pool to replace the sender and to make its calls again.
const SENDER_REPLACED_MS = 300;
const AGED_AT_ONCE = 150;
const HOUSEKEEPING_MS = 2_000;

/** Kills a server under load again and again, lets the last one finish, and compares the evidence. */
export async function runCrashes(options: CrashOptions): Promise<CrashReport> {
  const folder = await mkdtemp(join(tmpdir(), 'hubline-crash-'));
  try {
    return await new CrashRun(folder, options).run();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

class CrashRun {
  readonly #options: CrashOptions;
  readonly #storage: StorageLocation;
  readonly #folder: string;
  readonly #speed: number;
  readonly #origin = Date.now();
  readonly #random: Random;
  readonly #kills: number[] = [];
  readonly #deaths: Record<string, number> = {};
  readonly #missed: string[] = [];
  readonly #problems: string[] = [];
  readonly #aged: Stored = { events: [], deliveries: [], attempts: [] };
  readonly #children = new Set<Child>();
  #lives = 0;
  #delivered = 0;
  #smtpUrl = '';

  constructor(folder: string, options: CrashOptions) {
    this.#options = options;
    this.#folder = folder;
    this.#storage = { data: join(folder, 'data'), databaseUrl: options.databaseUrl };
    this.#speed = options.speed ?? DEFAULT_SPEED;
    this.#random = new Random(options.seed);
  }

  async run(): Promise<CrashReport> {
    try {
      return await this.#run();
    } finally {
      for (const child of this.#children) child.kill('SIGKILL');
      await Promise.all([...this.#children].map((child) => child.ended));
    }
  }

  async #run(): Promise<CrashReport> {
    const started = performance.now();
    const { seed, cycles } = this.#options;
    const sqlite = this.#storage.databaseUrl === undefined;
    const deaths = this.#options.deaths ?? planDeaths(this.#random, cycles, { sqlite });
    const config = parseServerConfig(
      { data: this.#storage.data, databaseUrl: this.#storage.databaseUrl },
      {},
    );
    const owner = await bootstrap(config, { email: 'owner@example.com', name: 'Acme', slug: 'acme' });
    const [apiKey, workspaceId] = [owner.api_key, owner.workspace_id ?? ''];
    const witness = await this.#startWitness();
    const log = new DurableLog(this.#file('acknowledged.log'));
    const publishers = new Publishers({
      apiKey,
      workspaceId,
      log,
      random: this.#random,
      most: this.#options.events ?? Number.POSITIVE_INFINITY,
      crowded: (acknowledged) => acknowledged * WEBHOOKS.length - this.#delivered > BACKLOG_MAX,
    });
    const webhooks = await this.#subscribe({ apiKey, workspaceId, witness });
    publishers.start();
    const invitations = new DurableLog(this.#file('invited.log'));
    const inviter = new Inviter({
      apiKey,
      workspaceId,
      log: invitations,
      baseUrl: () => publishers.baseUrl,
    });
    for (const death of deaths) await this.#live(publishers, death);
    await this.#finish(publishers, inviter);
    log.close();
    invitations.close();

    const database = await openDatabase(this.#storage);
    const verdict = judge({
      acknowledged: readLog<Acknowledgment>(this.#file('acknowledged.log')),
      asked: publishers.asked,
      calls: readLog<Call>(this.#file('witness.log')),
      stored: await readStored(database),
      counted: await readCounted(database),
      aged: this.#aged,
      webhooks,
      kills: this.#kills,
      realTime: (stored) => this.#origin + (Date.parse(stored) - this.#origin) / this.#speed,
      takenOver: this.#options.holdFirst || this.#options.failFirst ? Number.POSITIVE_INFINITY : 0,
    });
    const mails = judgeMails({
      invited: readLog<Invited>(this.#file('invited.log')),
      asked: inviter.asked,
      mailed: readLog<Mailed>(this.#file('mails.log')),
      left: await database.all(
        `select kind, "key", last_error from jobs where kind not in ('housekeeping', 'note_alive', 'statistics')`,
      ),
      kills: this.#kills,
    });
    await database.close();
    if (sqlite) this.#problems.push(...problemsOf(sqliteFile(this.#storage.data)));
    return {
      ...verdict,
      violations: [
        ...this.#problems,
        ...publishers.complaints,
        ...inviter.complaints,
        ...verdict.violations,
        ...mails,
      ],
      seed,
      deaths: this.#deaths,
      missed: this.#missed,
      seconds: (performance.now() - started) / 1_000,
    };
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }

  #child(...[program, options, onMessage]: ConstructorParameters<typeof Child>): Child {
    const child = new Child(program, options, onMessage);
    this.#children.add(child);
    void child.ended.then(() => this.#children.delete(child));
    return child;
  }

  async #startWitness(): Promise<string> {
    const { failures = 2, holdFirst = false, failFirst = holdFirst } = this.#options;
    const input: WitnessInput = {
      log: this.#file('witness.log'),
      mailLog: this.#file('mails.log'),
      secret: SECRET,
      failures,
      holdFirst,
      failFirst,
    };
    const witness = this.#child('witness', { input }, (message: Progress) => {
      this.#delivered = message.seen ?? this.#delivered;
    });
    const { url, smtpUrl } = (await witness.first<Progress>()) ?? {};
    if (url === undefined || smtpUrl === undefined)
      throw new Error(`The witness did not start.\n${witness.errors}`);
    this.#smtpUrl = smtpUrl;
    return url;
  }

  #start({
    crashAt,
    bug,
    senders = 1,
  }: {
    crashAt?: string;
    bug?: PlantedBug | undefined;
    senders?: number;
  }): Child {
    const input: ServerInput = {
      flags: {
        data: this.#storage.data,
        databaseUrl: this.#storage.databaseUrl,
        port: 0,
        allowHttpLocalhost: true,
        rateLimit: 100_000_000,
        senders,
        logLevel: 'warn',
        logFormat: 'json',
      },
      env: { HUBLINE_SMTP_URL: this.#smtpUrl },
      speed: this.#speed,
      origin: this.#origin,
      housekeepingEveryMs: HOUSEKEEPING_MS,
    };
    const env = {
      ...(crashAt === undefined ? {} : { HUBLINE_CRASH_AT: crashAt }),
      ...(bug === undefined ? {} : { HUBLINE_PLANTED_BUG: bug }),
    };
    return this.#child('server', { input, env });
  }

  /** Starts a server, and waits until it serves. It must not die before. */
  async #startServing(bug?: PlantedBug): Promise<{ server: Child; baseUrl: string }> {
    const server = this.#start({ bug });
    const up = await server.first<{ baseUrl: string }>();
    if (up === null)
      throw new Error(`The server ended with ${await server.ended} by itself.\n${server.errors}`);
    return { server, baseUrl: up.baseUrl };
  }

  /**
   * Creates the webhooks. Returns the ID of each, by its path. The server that makes them has no planted bug and stops in
   * order, because a run without its webhooks would have no load.
   */
  async #subscribe(at: {
    apiKey: string;
    workspaceId: string;
    witness: string;
  }): Promise<Map<string, string>> {
    const { server, baseUrl } = await this.#startServing();
    const webhooks = new Map<string, string>();
    for (const path of WEBHOOKS) webhooks.set(path, await subscribe(baseUrl, { ...at, path }));
    await this.#end(server);
    return webhooks;
  }

  /** Starts a server, and lets it die as planned. */
  async #live(publishers: Publishers, death: Death): Promise<void> {
    if (death.how.startsWith('retention.')) await this.#age();
    const born = Date.now();
    // Servers with a sender thread and without one take turns.
    this.#lives += 1;
    const senders = needsSender(death.how) ? 1 : this.#lives % 2;
    const server = this.#start({
      bug: this.#options.bug,
      senders,
      ...(isServerPoint(death.how) ? { crashAt: crashAt(death) } : {}),
      ...(death.how === 'sender' ? { crashAt: `sender.sent:${death.at}` } : {}),
    });
    // It may die before it listens.
    const serving = server.first<{ baseUrl: string }>().then((up) => up && publishers.serve(up.baseUrl));
    const hit = await this.#kill(server, { death, born, serving, publishers });
    const end = await server.ended;
    publishers.down();
    if (end !== 'SIGKILL') this.#problems.push(`a server ended by itself with ${end}: ${server.errors}`);
    // A sender that died took its calls with it, as the server did.
    for (let kills = -1; kills < sendersLost(server); kills += 1) this.#kills.push(Date.now());
    this.#deaths[death.how] = (this.#deaths[death.how] ?? 0) + 1;
    if (!hit) this.#missed.push(`${death.how}:${death.at}`);
    const age = Date.now() - born;
    this.#options.onDeath?.(
      `${this.#kills.length} ${death.how}:${death.at} with ${senders} senders after ${age} ms${hit ? '' : ', missed'}; ` +
        `${publishers.acknowledged.size} acknowledged`,
    );
  }

  /** Causes the death; reports whether it came as planned. */
  async #kill(
    server: Child,
    life: { death: Death; born: number; serving: Promise<unknown>; publishers: Publishers },
  ): Promise<boolean> {
    const { how, at } = life.death;
    const die = () => server.kill('SIGKILL');
    const deadline = life.born + at + POINT_DEADLINE_MS;
    try {
      if (isServerPoint(how)) {
        const late = sleep(POINT_DEADLINE_MS, 'late', { ref: false });
        return (await Promise.race([server.ended, late])) !== 'late';
      }
      if (how === 'random') {
        await sleep(life.born + at - Date.now());
        return true;
      }
      await life.serving;
      if (how === 'sender') {
        while (sendersLost(server) === 0 && server.running && Date.now() < deadline) await sleep(POLL_MS);
        await sleep(SENDER_REPLACED_MS);
        return sendersLost(server) > 0;
      }
      if (how === 'checkpoint') return await duringCheckpoint(sqliteFile(this.#storage.data), deadline, die);
      await sleep(at);
      const removed = new Set(this.#aged.events.map(({ id }) => id));
      // The copy of a small database may be finished before anybody notices it: then another backup is made.
      for (;;) {
        const { hit, problems } = await tryBackup({
          data: this.#storage.data,
          file: this.#file('backup.db'),
          point: isBackupPoint(how) ? how : null,
          wanted: [...life.publishers.acknowledged].filter((id) => !removed.has(id)),
          midway: die,
        });
        this.#problems.push(...problems);
        if (hit || Date.now() > deadline) return hit;
      }
    } finally {
      die();
    }
  }

  /** Makes old events for retention, while no server runs. */
  async #age(): Promise<void> {
    const database = await openDatabase(this.#storage);
    const { events, deliveries, attempts } = await age(database, AGED_AT_ONCE);
    // Housekeeping that five lives in a row have cut off is put off for a day. On a busy machine, lives are too short for it to end.
    await database.run(`update jobs set attempts = 0, last_error = null where kind = 'housekeeping'`);
    await database.close();
    this.#aged.events.push(...events);
    this.#aged.deliveries.push(...deliveries);
    this.#aged.attempts.push(...attempts);
  }

  /** Starts a last server, without kills, which sends the rest. */
  async #finish(publishers: Publishers, inviter: Inviter): Promise<void> {
    const { server, baseUrl } = await this.#startServing(this.#options.bug);
    publishers.serve(baseUrl);
    await publishers.stop();
    await inviter.stop();
    const database = await openDatabase(this.#storage);
    const deadline = Date.now() + DRAIN_DEADLINE_MS;
    const open = async () => [
      ...(await database.all('select 1 from deliveries where due_at is not null limit 1')),
      ...(await database.all(`select 1 from jobs where kind = 'mail' and failed_at is null limit 1`)),
    ];
    while ((await open()).length > 0 && Date.now() < deadline) await sleep(POLL_MS);
    await database.close();
    await this.#end(server);
  }

  /** Stops a server as an operator does. */
  async #end(server: Child): Promise<void> {
    server.kill('SIGTERM');
    const end = await server.ended;
    if (end !== 0) this.#problems.push(`SIGTERM ended a server with ${end}: ${server.errors}`);
  }
}

/** The number of senders that the server says it has lost. */
const sendersLost = (server: Child): number => server.log.split('a sender thread died').length - 1;
