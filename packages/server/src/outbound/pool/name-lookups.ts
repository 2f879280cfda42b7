import { lookup } from 'node:dns/promises';
import { LIMITS } from '@hubline/contract/constants';
import { NameQuestions } from './name-questions.ts';
import type { NameServersAnswer } from './name-servers.ts';

/** An address that a name resolved to. */
export interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

type Addresses = readonly ResolvedAddress[];

interface Options {
  /** Reports whether a lookup would end soon. It takes no slot, and is asked for names that wait. Default: never. */
  answers?: NameServersAnswer | undefined;
  /** The most lookups at once. Default: what Node's thread pool runs at once, 2 unless `UV_THREADPOOL_SIZE` says otherwise. */
  slots?: number;
  /** A monotonic clock, in milliseconds. */
  now?: () => number;
  /** The time after which a new answer is no longer waited for if there is an older one, in milliseconds. Default 500. */
  patienceMs?: number;
}

/** The groups of names that wait for a slot, in the order in which they get one. */
const GROUPS = ['answered', 'known', 'new', 'failed'] as const;
type Group = (typeof GROUPS)[number];

/** A lookup that waits or runs, with everybody who asks for its name. */
interface Lookup extends PromiseWithResolvers<Addresses> {
  name: string;
  group: Group;
  /** The time at which the last of those who asked gives up. */
  wantedUntil: number;
  /** The time at which the system began to look the name up. */
  since: number;
}

// libuv runs slow work, such as lookups, on half of its threads.
const SLOTS = Math.max(2, Math.ceil(Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) / 2));
const PATIENCE_MS = 500;
// As long as a connection to an address may be kept, however the name has changed since.
const OLD_MS = 5 * 60_000;
// A name that does not resolve is asked for again when a delivery's first retry is due.
const FAILED_MS = 5_000;
const REMEMBERED_MAX = 10_000;

/**
 * The name lookups of a process. The system runs two at a time, and one for a dead name can take it half a minute: names that resolve
 * do not wait for names that do not. One slot is kept for names whose servers answer: for each name that waits, they are asked first,
 * which takes no slot. If a lookup takes long, the name's previous answer is used, up to five minutes old. Each name is looked up once
 * for all who ask for it at the same time, and a failure is kept for five seconds.
 */
export class NameLookups {
  readonly #lookUp: Resolve;
  readonly #questions: NameQuestions;
  readonly #slots: number;
  readonly #now: () => number;
  readonly #patienceMs: number;
  readonly #lookups = new Map<string, Lookup>();
  readonly #waiting: Readonly<Record<Group, Set<Lookup>>> = {
    answered: new Set(),
    known: new Set(),
    new: new Set(),
    failed: new Set(),
  };
  readonly #running = new Set<Lookup>();
  readonly #known = new Map<string, { addresses: Addresses; at: number }>();
  readonly #failed = new Map<string, { error: Error; at: number }>();
  /** Names whose lookup has hung although their servers had answered, with the time. */
  readonly #hung = new Map<string, number>();

  constructor(lookUp: Resolve = lookUpBySystem, options: Options = {}) {
    this.#lookUp = lookUp;
    this.#questions = new NameQuestions({
      answers: options.answers ?? (() => Promise.resolve(false)),
      isWanted: (name) => this.#isWanted(name),
      onAnswer: (name) => this.#promote(name),
    });
    this.#slots = options.slots ?? SLOTS;
    this.#now = options.now ?? (() => performance.now());
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
  }

  /** All addresses of a name. Rejects with the system's error. */
  readonly resolve: Resolve = (name) => {
    const now = this.#now();
    const known = this.#known.get(name);
    const old = known && now - known.at < OLD_MS ? known.addresses : undefined;
    const failure = this.#failed.get(name);
    if (failure && now - failure.at < FAILED_MS)
      return old ? Promise.resolve(old) : Promise.reject(failure.error);
    const wantedUntil = now + LIMITS.attemptTimeoutMs;
    const lookup = this.#lookups.get(name) ?? this.#enqueue(name, wantedUntil);
    lookup.wantedUntil = wantedUntil;
    if (
      lookup.group !== 'answered' &&
      this.#waits(lookup) &&
      now - (this.#hung.get(name) ?? -Infinity) >= OLD_MS
    )
      this.#questions.add(name, lookup.group === 'failed');
    return old ? withinPatience(lookup.promise, old, this.#patienceMs) : lookup.promise;
  };

  /** Forgets the names that wait, once nobody waits for them: a server that has stopped asks no more name servers. */
  stop(): void {
    for (const group of GROUPS) this.#waiting[group].clear();
  }

  #enqueue(name: string, wantedUntil: number): Lookup {
    const group = this.#failed.has(name) ? 'failed' : this.#known.has(name) ? 'known' : 'new';
    const lookup: Lookup = { name, group, wantedUntil, since: 0, ...Promise.withResolvers<Addresses>() };
    this.#lookups.set(name, lookup);
    this.#waiting[group].add(lookup);
    this.#start();
    return lookup;
  }

  #start(): void {
    while (this.#running.size < this.#slots) {
      const group = GROUPS.find((each) => this.#waiting[each].size > 0);
      if (!group || (group !== 'answered' && this.#countDoubtful() >= Math.max(1, this.#slots - 1))) return;
      const [lookup] = this.#waiting[group];
      if (!lookup) return;
      this.#waiting[group].delete(lookup);
      if (lookup.wantedUntil > this.#now()) void this.#run(lookup);
      else this.#giveUp(lookup);
    }
  }

  /** Counts the lookups under way of names that may be dead: their servers have not answered, or they take long. */
  #countDoubtful(): number {
    const lately = this.#now() - this.#patienceMs;
    return [...this.#running].filter(({ group, since }) => group !== 'answered' || since <= lately).length;
  }

  /** Moves a waiting name ahead of those whose servers have not answered. */
  #promote(name: string): void {
    const lookup = this.#lookups.get(name);
    if (!lookup || !this.#waits(lookup)) return;
    this.#waiting[lookup.group].delete(lookup);
    lookup.group = 'answered';
    this.#waiting.answered.add(lookup);
    this.#start();
  }

  #isWanted(name: string): boolean {
    const lookup = this.#lookups.get(name);
    return lookup !== undefined && this.#waits(lookup) && lookup.wantedUntil > this.#now();
  }

  #waits(lookup: Lookup): boolean {
    return this.#waiting[lookup.group].has(lookup);
  }

  async #run(lookup: Lookup): Promise<void> {
    lookup.since = this.#now();
    this.#running.add(lookup);
    const result = await this.#lookUp(lookup.name).catch((error: unknown) => error as Error);
    this.#running.delete(lookup);
    this.#end(lookup, result);
    this.#start();
  }

  /** Ends a lookup that nobody waits for. The name was not looked up, so nothing is known of it. */
  #giveUp({ name, reject }: Lookup): void {
    this.#lookups.delete(name);
    reject(Object.assign(new Error('Nobody waits for this name any longer.'), { code: 'EAI_AGAIN' }));
  }

  #end(lookup: Lookup, result: Addresses | Error): void {
    const { name, resolve, reject } = lookup;
    const at = this.#now();
    this.#lookups.delete(name);
    if (result instanceof Error) {
      // Otherwise such names could keep every slot: their servers answer the question, and then not the system.
      if (lookup.group === 'answered' && at - lookup.since > this.#patienceMs) remember(this.#hung, name, at);
      remember(this.#failed, name, { error: result, at });
      if (isGone(result)) this.#known.delete(name);
      reject(result);
    } else {
      this.#failed.delete(name);
      remember(this.#known, name, { addresses: result, at });
      resolve(result);
    }
  }
}

/** Keeps a value as the latest, and drops the oldest of too many. */
function remember<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name);
  map.set(name, value);
  const [oldest] = map.keys();
  if (map.size > REMEMBERED_MAX && oldest !== undefined) map.delete(oldest);
}

/** Reports whether the name is gone. With any other failure, the name server may just be slow. */
const isGone = (error: NodeJS.ErrnoException): boolean => error.code === 'ENOTFOUND';

/** The new answer; the old one after `ms` milliseconds, or if there is no answer. */
async function withinPatience(answer: Promise<Addresses>, old: Addresses, ms: number): Promise<Addresses> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Addresses>((resolve) => {
    timer = setTimeout(() => resolve(old), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } catch (error) {
    if (isGone(error as Error)) throw error;
    return old;
  } finally {
    clearTimeout(timer);
  }
}

/** Asks the system's resolver, so that `/etc/hosts` and search domains count. */
export const lookUpBySystem: Resolve = (name) => lookup(name, { all: true, order: 'verbatim' });
