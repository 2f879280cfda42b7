import type { Logger } from '../../log/log.ts';
import { type Call, type CallResult, notMade, type Sender } from './call.ts';
import { LocalSender, type SenderSettings } from './local-sender.ts';
import { ThreadSender } from './thread-sender.ts';

interface PoolOptions extends SenderSettings {
  /** The number of threads that send; 0: the main thread does. */
  threads: number;
  /** The program of the threads, for tests. */
  program?: URL | undefined;
  log: Logger;
}

/** The load of a sender, as `/metrics` shows it. */
export interface SenderLevel {
  /** Calls under way. */
  running: number;
  /** The time for which its thread has worked since its start, in milliseconds. */
  busyMs: number;
  /** The number of times that its thread died and was replaced. */
  replaced: number;
}

// A sender with this many more calls than another passes calls on to it, although they need new connections
// there.
const BUSIER = 32;
const HANGING_CHECK_MS = 5_000;
const RESTART_MS = 1_000;

/**
 * The senders of a server. The calls to an origin usually go to the same thread, which keeps its connections and TLS sessions. A thread
 * starts with its first call: it takes about 18 MB, which a server without webhooks saves. One that ends by itself or hangs is replaced,
 * and the calls that it had are interrupted.
 */
export class SenderPool implements Sender {
  readonly #options: PoolOptions;
  /** Threads by their slot; `undefined` before the first call, `null` while one waits to be started again. */
  readonly #threads: (ThreadSender | null | undefined)[];
  readonly #replaced: number[] = [];
  readonly #local: LocalSender | null;
  readonly #restarts = new Set<NodeJS.Timeout>();
  readonly #hangingCheck: NodeJS.Timeout;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#local = options.threads === 0 ? new LocalSender(options) : null;
    this.#threads = Array.from({ length: options.threads }, () => undefined);
    this.#hangingCheck = setInterval(() => {
      for (const thread of this.#threads) thread?.endIfHanging();
    }, HANGING_CHECK_MS);
    this.#hangingCheck.unref();
  }

  /** The load of each thread. */
  get levels(): SenderLevel[] {
    return this.#threads.map((thread, slot) => ({
      running: thread?.running ?? 0,
      busyMs: thread?.busyMs ?? 0,
      replaced: this.#replaced[slot] ?? 0,
    }));
  }

  send(call: Call): Promise<CallResult | 'interrupted'> {
    const sender = this.#local ?? this.#choose(call.url);
    return sender ? sender.send(call) : Promise.resolve(notMade('no sender is running'));
  }

  async destroy(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#hangingCheck);
    for (const restart of this.#restarts) clearTimeout(restart);
    await Promise.all([this.#local?.destroy(), ...this.#threads.map((thread) => thread?.destroy())]);
  }

  #start(slot: number): ThreadSender {
    let isReady = false;
    const thread = new ThreadSender({
      ...this.#options,
      onDeath: (reason) => {
        this.#threads[slot] = null;
        if (this.#closed) return;
        this.#replaced[slot] = (this.#replaced[slot] ?? 0) + 1;
        this.#options.log.error({ err: reason, sender: slot }, 'a sender thread died; starting another');
        // A thread that cannot start is tried again after a pause.
        this.#startIn(slot, isReady ? 0 : RESTART_MS);
      },
    });
    this.#threads[slot] = thread;
    void thread.ready.then(
      () => (isReady = true),
      () => undefined,
    );
    return thread;
  }

  #startIn(slot: number, ms: number): void {
    const restart = setTimeout(() => {
      this.#restarts.delete(restart);
      this.#start(slot);
    }, ms);
    this.#restarts.add(restart);
  }

  #choose(url: string): ThreadSender | null {
    const home = hashOf(url) % this.#threads.length;
    let slot = home;
    for (let other = 0; other < this.#threads.length; other += 1)
      if (this.#load(other) + BUSIER < this.#load(home) && this.#load(other) < this.#load(slot)) slot = other;
    const thread = this.#threads[slot];
    return thread === undefined && !this.#closed ? this.#start(slot) : (thread ?? null);
  }

  /** Calls under way in a slot; infinite while it has no thread to take one. */
  #load(slot: number): number {
    const thread = this.#threads[slot];
    return thread === null ? Infinity : (thread?.running ?? 0);
  }
}

/** A number from the scheme, host and port of a URL. */
function hashOf(url: string): number {
  let hash = 0;
  let slashes = 0;
  for (let index = 0; index < url.length; index += 1) {
    const code = url.charCodeAt(index);
    if (code === SLASH && (slashes += 1) === 3) break;
    hash = (Math.imul(hash, 31) + code) >>> 0;
  }
  return hash;
}
const SLASH = '/'.charCodeAt(0);
