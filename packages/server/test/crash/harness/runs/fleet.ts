import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProxy } from '../../../api/support/stand-ins/proxy.ts';
import { Random } from '../../../random.ts';
import { Child } from '../child.ts';
import { openDatabase, type StorageLocation } from '../database.ts';
import { type DatabaseLink, openDatabaseLink } from '../database-link.ts';
import { DurableLog, readLog } from '../durable-log.ts';
import { judge, type Verdict } from '../judge/judge.ts';
import { makeOwner } from '../clients/make-owner.ts';
import { type Acknowledgment, Publishers } from '../clients/publishers.ts';
import type { ServerInput } from '../server.process.ts';
import { readCounted, readStored } from '../judge/stored.ts';
import { SECRET, subscribe } from '../clients/subscribe.ts';
import type { Call, Progress, WitnessInput } from '../witness.process.ts';

export interface FleetOptions {
  seed: number;
  databaseUrl: string;
  /** Seconds of the servers' clock per real second. */
  speed: number;
  /** The most failed attempts of a delivery. */
  failures: number;
  /** The most events to publish. Default: as many as the run allows. */
  events?: number | undefined;
  /** The checkout whose server makes the database. Default: this one. */
  release?: string | undefined;
}

/** A server of the fleet. */
export interface Member {
  child: Child;
  url: string;
  /** Its network to the database. */
  link: DatabaseLink;
}

/** The evidence of a run, and what follows from it. */
export interface FleetReport extends Verdict {
  calls: number;
  /** All calls, as the witness saw them. */
  seen: readonly Call[];
}

const WEBHOOKS = ['/first', '/second'];
const BACKLOG_MAX = 400;
const DRAIN_DEADLINE_MS = 180_000;
const POLL_MS = 20;

/**
 * Several processes on one PostgreSQL database, behind a proxy that gives each request to the next of them, with the clients, the
 * receiver and the judge of `runCrashes`.
 */
export class Fleet implements AsyncDisposable {
  readonly members: Member[] = [];
  readonly random: Random;
  readonly problems: string[] = [];
  readonly #options: FleetOptions;
  readonly #folder: string;
  readonly #storage: StorageLocation;
  readonly #origin = Date.now();
  readonly #children = new Set<Child>();
  readonly #links = new Set<DatabaseLink>();
  readonly #targets: string[] = [];
  readonly #kills: number[] = [];
  readonly #webhooks = new Map<string, string>();
  readonly #log: DurableLog;
  #proxy: Awaited<ReturnType<typeof startProxy>> | undefined;
  #publishers: Publishers | undefined;
  #delivered = 0;

  private constructor(folder: string, options: FleetOptions) {
    this.#options = options;
    this.#folder = folder;
    this.#storage = { data: join(folder, 'data'), databaseUrl: options.databaseUrl };
    this.random = new Random(options.seed);
    this.#log = new DurableLog(this.#file('acknowledged.log'));
  }

  /** Makes the database, and starts this many processes, and the clients. */
  static async start(processes: number, options: FleetOptions): Promise<Fleet> {
    const fleet = new Fleet(await mkdtemp(join(tmpdir(), 'hubline-processes-')), options);
    try {
      await fleet.#start(processes);
    } catch (error) {
      await fleet[Symbol.asyncDispose]();
      throw error;
    }
    return fleet;
  }

  get publishers(): Publishers {
    if (!this.#publishers) throw new Error('The fleet has not started.');
    return this.#publishers;
  }

  /** Starts one more process, with `release` from that checkout. */
  async serve(release?: string): Promise<Member> {
    const link = await openDatabaseLink(this.#options.databaseUrl);
    this.#links.add(link);
    const input: ServerInput = {
      flags: {
        data: this.#storage.data,
        databaseUrl: link.url,
        port: 0,
        allowHttpLocalhost: true,
        rateLimit: 100_000_000,
        // Processes with a sender thread and without one take turns.
        senders: this.#links.size % 2,
        logLevel: 'warn',
        logFormat: 'json',
      },
      speed: this.#options.speed,
      origin: this.#origin,
    };
    const child = this.#keep(new Child('server', { input, release }));
    const up = await child.first<{ baseUrl: string }>();
    if (up === null)
      throw new Error(`The server ended with ${await child.ended} by itself.\n${child.errors}`);
    const member = { child, url: up.baseUrl.replace(/\/v1$/, ''), link };
    this.members.push(member);
    this.admit(member);
    return member;
  }

  /** Picks a process at random. */
  pick(): Member {
    return this.members[this.random.between(0, this.members.length - 1)] as Member;
  }

  admit({ url }: Member): void {
    this.#targets.push(url);
  }

  /** Sends it no more requests, like a load balancer after a failed health check. */
  withdraw({ url }: Member): void {
    this.#targets.splice(this.#targets.indexOf(url), 1);
  }

  /** Records a fault: the calls that are under way now may be repeated, once for each of `times`. */
  hit(times = 1): void {
    this.#kills.push(...Array.from({ length: times }, () => Date.now()));
  }

  async kill(member: Member): Promise<void> {
    this.withdraw(member);
    member.child.kill('SIGKILL');
    await member.child.ended;
    this.hit();
    this.members.splice(this.members.indexOf(member), 1);
  }

  /** Stops it in order. Any exit code but 0 is a problem. */
  async stop(member: Member): Promise<void> {
    member.child.kill('SIGTERM');
    const end = await member.child.ended;
    if (end !== 0) this.problems.push(`SIGTERM ended a server with ${end}: ${member.child.errors}`);
    this.members.splice(this.members.indexOf(member), 1);
  }

  /** Ends the clients, waits until nothing is left to send, stops all processes, and compares the evidence. */
  async finish(): Promise<FleetReport> {
    await this.publishers.stop();
    const database = await openDatabase(this.#storage);
    const open = () => database.all('select 1 from deliveries where due_at is not null limit 1');
    const deadline = Date.now() + DRAIN_DEADLINE_MS;
    while ((await open()).length > 0 && Date.now() < deadline) await sleep(POLL_MS);
    for (const member of this.members.slice()) await this.stop(member);
    this.#log.close();
    const seen = readLog<Call>(this.#file('witness.log'));
    const { speed } = this.#options;
    const verdict = judge({
      acknowledged: readLog<Acknowledgment>(this.#file('acknowledged.log')),
      asked: this.publishers.asked,
      calls: seen,
      stored: await readStored(database),
      counted: await readCounted(database),
      aged: { events: [], deliveries: [], attempts: [] },
      webhooks: this.#webhooks,
      kills: this.#kills,
      realTime: (stored) => this.#origin + (Date.parse(stored) - this.#origin) / speed,
      takenOver: 0,
    });
    await database.close();
    const complaints = this.publishers.complaints.map((complaint) => this.#withLog(complaint));
    const violations = [...this.problems, ...complaints, ...verdict.violations];
    return { ...verdict, violations, seen };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all([...this.#children].map((child) => child.ended));
    await this.#proxy?.stop();
    for (const link of this.#links) await link.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #start(processes: number): Promise<void> {
    const { release, failures, events = Number.POSITIVE_INFINITY } = this.#options;
    this.#proxy = await startProxy(this.#targets);
    const witnessInput: WitnessInput = {
      log: this.#file('witness.log'),
      mailLog: this.#file('mails.log'),
      secret: SECRET,
      failures,
    };
    const witness = this.#keep(
      new Child('witness', { input: witnessInput }, ({ seen }: Progress) => {
        this.#delivered = seen ?? this.#delivered;
      }),
    );
    const { url: witnessUrl = '' } = (await witness.first<Progress>()) ?? {};
    const { apiKey, workspaceId } = await makeOwner(this.#storage, release);
    await Promise.all(Array.from({ length: processes }, () => this.serve(release)));
    const baseUrl = `${this.#proxy.url}/v1`;
    for (const path of WEBHOOKS) {
      const at = { apiKey, workspaceId, witness: witnessUrl, path };
      this.#webhooks.set(path, await subscribe(baseUrl, at));
    }
    this.#publishers = new Publishers({
      apiKey,
      workspaceId,
      log: this.#log,
      random: this.random,
      most: events,
      crowded: (acknowledged) => acknowledged * WEBHOOKS.length - this.#delivered > BACKLOG_MAX,
    });
    this.#publishers.serve(baseUrl);
    this.#publishers.start();
  }

  /** A complaint about a response, with the lines that its server has logged about the request. */
  #withLog(complaint: string): string {
    const [id] = /req_\w+/.exec(complaint) ?? [];
    const lines = [...this.#children].flatMap(({ log }) => log.split('\n'));
    const logged = lines.filter((line) => id !== undefined && line.includes(id));
    return [complaint, ...logged].join('\n');
  }

  #keep(child: Child): Child {
    this.#children.add(child);
    return child;
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }
}
