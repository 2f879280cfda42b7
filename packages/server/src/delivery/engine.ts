import { LIMITS } from '@hubline/contract';
import { ClockWatch } from '../clock/clock-watch.ts';
import { endsWithin, type Timer } from '../clock/timer.ts';
import { PEER_MS, STORAGE_RETRY_MS } from '../clock/waits.ts';
import type { DueQueue } from '../domain/deliveries/due-queue.ts';
import { QUEUE_PARTS } from '../domain/deliveries/queue-part.ts';
import { Attempts } from './attempts/attempts.ts';
import { Claimer } from './claimer.ts';
import type { DueWebhook, LeasedDelivery, NewLease, Prefetch } from './delivery-store.ts';
import type { EngineDeps, EngineParts } from './engine-parts.ts';
import { PrefetchBuffer } from './prefetch/prefetch-buffer.ts';
import { Prefetcher } from './prefetch/prefetcher.ts';
import { type Moment, Scheduler } from './scheduler/scheduler.ts';
import type { Sender } from './senders/call.ts';
import { Sweeper } from './sweeper.ts';
import { UnderWay } from './under-way.ts';

interface EngineOptions extends Pick<EngineParts, 'owner' | 'store'> {
  /** Destroyed when the engine stops. */
  sender: Sender;
  /** Holds new deliveries until their attempt. Default: one of 32 MiB. */
  buffer?: PrefetchBuffer;
  /** The deadline of an attempt, in milliseconds. Default: the specification's 30 s. */
  attemptTimeoutMs?: number;
  timer: Timer;
  /** The monotonic clock, in milliseconds: durations are measured by it, and it shows when the wall clock was set. */
  monotonic: () => number;
}

// Attempts that may run at once, beside slow ones, and those of one webhook.
const CONCURRENCY = 256;
const PER_WEBHOOK = { initial: 4, max: 64 };
const TIMER_MAX_MS = 60_000;
// An operator who waits longer than this for the server to stop should see why.
const SILENT_STOP_MS = 1_000;

/**
 * Sends the deliveries. It connects the parts: the scheduler decides whose delivery is next, the prefetcher holds new ones in memory,
 * the claimer leases the others from the database, attempts are made through the sender and recorded, and the sweeper finds the
 * work of other processes. No network call happens inside a transaction.
 */
export class DeliveryEngine {
  readonly #deps: EngineDeps;
  readonly #options: Required<EngineOptions>;
  readonly #scheduler: Scheduler;
  readonly #prefetcher: Prefetcher;
  readonly #claimer: Claimer;
  readonly #attempts: Attempts;
  readonly #sweeper: Sweeper;
  readonly #clockWatch: ClockWatch;
  readonly #underWay: UnderWay;
  #followingClock = false;
  #dispatchQueued = false;
  #closed = true;
  #cancelTimer = () => {};

  constructor(deps: EngineDeps, given: EngineOptions) {
    const options = {
      attemptTimeoutMs: LIMITS.attemptTimeoutMs,
      buffer: new PrefetchBuffer(),
      ...given,
    };
    this.#deps = deps;
    this.#options = options;
    this.#clockWatch = new ClockWatch(deps.clock, options.monotonic);
    this.#scheduler = new Scheduler({ concurrency: CONCURRENCY, perWebhook: PER_WEBHOOK });
    this.#underWay = new UnderWay(deps.log);
    const parts: EngineParts = {
      owner: options.owner,
      store: options.store,
      scheduler: this.#scheduler,
      now: () => this.#now(),
      timer: options.timer,
      begin: (delivery) => this.#attempts.begin(delivery),
      keep: (deliveries, leaseEnd) => this.#prefetcher.keep(deliveries, leaseEnd),
      track: (work) => this.#underWay.add(work),
      dispatch: (inMs) => (inMs === undefined ? this.#dispatchSoon() : this.#dispatchIn(inMs)),
    };
    this.#attempts = new Attempts(deps, { ...options, ...parts });
    this.#prefetcher = new Prefetcher(deps, { ...parts, buffer: options.buffer });
    this.#claimer = new Claimer(deps, parts);
    this.#sweeper = new Sweeper(deps, parts);
  }

  /** Takes over the deliveries that an earlier process left, then works until `close`. */
  async start(): Promise<void> {
    // If several processes share the database, the clock has just become that of the database.
    this.#clockWatch.follow();
    await this.#options.store.atStart();
    await this.#sweeper.read();
    // Not earlier: `atStart` may end every lease, whoever holds it.
    this.#closed = false;
    this.#prefetcher.open();
    this.#sweeper.open();
    this.#dispatch();
  }

  /** Notes that deliveries of webhooks are due now. */
  wake(webhooks: readonly DueWebhook[]): void {
    for (const webhook of webhooks) this.#scheduler.wake(webhook, webhook.part);
    this.#dispatchSoon();
  }

  /** Notes deliveries that other processes have stored, and will claim themselves if they are alive. */
  expect(queues: readonly DueQueue[]): void {
    for (const due of queues) this.#scheduler.expect(due, due.part, due.dueAt + PEER_MS);
    this.#dispatchSoon();
  }

  /** Sweeps the whole queue now: another process may have left work. */
  sweep(): void {
    this.#sweeper.sweep();
  }

  /** Takes over the deliveries that these owners have left. Attempts of this process continue. */
  async takeOver(owners: readonly string[]): Promise<void> {
    if (owners.length > 0) await this.#options.store.endLeases(owners, this.#attempts.working);
    this.#sweeper.sweep();
  }

  /** Says which new deliveries this process takes into its prefetch buffer now, and with which lease. Reserves nothing. */
  prefetch(): Prefetch {
    return this.#prefetcher.prefetch();
  }

  /** Accepts deliveries that were stored with a lease of `prefetch`, after the commit. Those that find no room return to the database. */
  offer(deliveries: readonly LeasedDelivery[], lease: NewLease): void {
    this.#dispatch(this.#prefetcher.accept(deliveries, lease));
  }

  /**
   * Begins nothing more, and returns the deliveries in the prefetch buffer and those of a claim under way, so that another process can take
   * them at once.
   */
  close(): void {
    this.#closed = true;
    this.#cancelTimer();
    this.#attempts.close();
    this.#claimer.close();
    this.#sweeper.close();
    this.#prefetcher.close();
  }

  /** Closes, and waits for the attempts under way, at most until their own deadline. */
  async stop(): Promise<void> {
    this.close();
    const { attemptTimeoutMs } = this.#options;
    const ended = this.#underWay.ended();
    const silentMs = Math.min(SILENT_STOP_MS, attemptTimeoutMs);
    if (!(await endsWithin(silentMs, ended))) {
      const attempts = this.#attempts.working.length;
      this.#deps.log.info({ attempts, at_most_ms: attemptTimeoutMs }, 'waiting for the attempts under way');
      await endsWithin(attemptTimeoutMs - silentMs, ended);
    }
    // Ends the attempts that are left. They return their deliveries, which the next process sends again.
    await this.#options.sender.destroy();
    await this.#underWay.ended();
  }

  #now(): Moment {
    return { wall: this.#deps.clock().getTime(), elapsed: this.#options.monotonic() };
  }

  /** Dispatches once for everything that this turn of the event loop brings. */
  #dispatchSoon(): void {
    if (this.#dispatchQueued) return;
    this.#dispatchQueued = true;
    queueMicrotask(() => {
      this.#dispatchQueued = false;
      this.#dispatch();
    });
  }

  /**
   * Begins the deliveries that the scheduler grants: from the prefetch buffer at once, from the database with the next claim. An offer
   * that came just now, `freshOffer`, begins without reading its webhook again.
   */
  #dispatch(freshOffer: number | null = null): void {
    if (this.#closed || this.#followingClock) return;
    const jump = this.#clockWatch.look();
    if (jump) return this.#underWay.add(this.#followClock(jump.ms));
    const now = this.#now();
    const aheadMax = Math.min(this.#prefetcher.roomForBacklog, this.#claimer.mayClaimAhead);
    for (const grant of this.#scheduler.allot(now, aheadMax)) {
      if (grant.buffered > 0) this.#prefetcher.begin(grant, freshOffer);
      if (grant.ahead > 0 || QUEUE_PARTS.some((part) => grant.claims[part] > 0)) this.#claimer.claim(grant);
    }
    const waitMs = this.#scheduler.waitMs(now);
    // Bounded, because the clock may be changed.
    if (waitMs !== null) this.#dispatchIn(Math.min(waitMs, TIMER_MAX_MS));
  }

  #dispatchIn(ms: number): void {
    this.#cancelTimer();
    if (!this.#closed) this.#cancelTimer = this.#options.timer(() => this.#dispatch(), ms);
  }

  /** After the wall clock has jumped, adjusts the times that were stored by it. */
  async #followClock(jumpMs: number): Promise<void> {
    this.#followingClock = true;
    try {
      this.#deps.log.warn({ jump_ms: Math.round(jumpMs) }, 'the system clock jumped; adjusting due times');
      // The ends of the leases in the prefetch buffer are times of the old clock.
      this.#prefetcher.empty();
      await this.#options.store.followClock(this.#options.owner() ?? '', jumpMs);
      this.#clockWatch.follow();
      await this.#sweeper.read();
    } catch (error) {
      this.#deps.log.error({ err: error }, 'due times could not be adjusted; trying again');
      return this.#dispatchIn(STORAGE_RETRY_MS);
    } finally {
      this.#followingClock = false;
    }
    this.#dispatch();
  }
}
