import { LIMITS } from '@hubline/contract';
import { chaos } from '#chaos';
import { ClockWatch } from '../clock/clock-watch.ts';
import type { Deps } from '../context.ts';
import { QUEUE_PARTS } from '../domain/deliveries/queue-part.ts';
import { makeAttempt, type NoOutcome, type Outcome } from './attempt.ts';
import { Claimer } from './claimer.ts';
import type { DueQueue, DueWebhook, LeasedDelivery, NewLease, Prefetch } from './delivery-store.ts';
import { type EngineParts, STORAGE_RETRY_MS } from './engine-parts.ts';
import { PrefetchBuffer } from './prefetch-buffer.ts';
import { Prefetcher } from './prefetcher.ts';
import { Recorder } from './recorder.ts';
import type { ConcurrencyBounds } from './scheduler/adaptive-concurrency.ts';
import { type Moment, Scheduler } from './scheduler/scheduler.ts';
import { keyOf } from './scheduler/webhook-queue.ts';
import type { Sender } from './senders/call.ts';
import { systemTimer, type Timer } from '../clock/timer.ts';

interface EngineOptions extends Pick<EngineParts, 'owner' | 'store'> {
  /** Destroyed when the engine stops. */
  sender: Sender;
  /** Holds new deliveries until their attempt. Default: one of 32 MiB. */
  buffer?: PrefetchBuffer;
  /** Attempts that may run at once. Default 256. */
  concurrency?: number;
  /** Attempts to one webhook that may run at once. Default: from 4 up to 64. */
  perWebhook?: ConcurrencyBounds;
  /** The deadline of an attempt, in milliseconds. Default: the specification's 30 s. */
  attemptTimeoutMs?: number;
  /** Default: the system's timers. */
  timer?: Timer;
  /** The monotonic clock by which a jump of the wall clock is seen, in milliseconds. Default: `performance.now`. */
  monotonic?: () => number;
}

type EngineDeps = Pick<Deps, 'clock' | 'log' | 'budgets'>;

// An attempt that failed on this machine is made again after this long, without counting against the receiver.
const OWN_FAILURE_DELAY_MS = 5_000;
// The period at which the whole queue is read, to find deliveries that another process has stored.
const SWEEP_MS = 30_000;
// The head start of the process that stored a delivery, before the others claim it.
const PEER_MS = 1_000;
const TIMER_MAX_MS = 60_000;

/**
 * Makes the deliveries. It connects five parts: the scheduler decides whose delivery is next, the prefetcher holds new ones in
 * memory, the claimer leases the others from the database, the senders make the attempts, and the recorder stores the results. No
 * network call happens inside a transaction.
 */
export class DeliveryEngine {
  readonly #deps: EngineDeps;
  readonly #options: Required<EngineOptions>;
  readonly #scheduler: Scheduler;
  readonly #prefetcher: Prefetcher;
  readonly #claimer: Claimer;
  readonly #recorder: Recorder;
  readonly #clockWatch: ClockWatch;
  readonly #underWay = new Set<Promise<unknown>>();
  /** Deliveries that are being sent or recorded. */
  readonly #working = new Set<LeasedDelivery>();
  #followingClock = false;
  #dispatchQueued = false;
  #closed = true;
  #cancelTimer = () => {};
  #cancelSweep = () => {};

  constructor(deps: EngineDeps, options: EngineOptions) {
    this.#deps = deps;
    this.#options = {
      concurrency: 256,
      perWebhook: { initial: 4, max: 64 },
      attemptTimeoutMs: LIMITS.attemptTimeoutMs,
      buffer: new PrefetchBuffer(),
      timer: systemTimer,
      monotonic: () => performance.now(),
      ...options,
    };
    this.#recorder = new Recorder(options.store);
    this.#clockWatch = new ClockWatch(deps.clock, this.#options.monotonic);
    this.#scheduler = new Scheduler(this.#options);
    const parts = {
      owner: options.owner,
      store: options.store,
      timer: this.#options.timer,
      buffer: this.#options.buffer,
      scheduler: this.#scheduler,
      begin: (delivery: LeasedDelivery) => this.#begin(delivery),
      track: (work: Promise<unknown>) => this.#track(work),
      dispatch: (inMs?: number) => (inMs === undefined ? this.#dispatchSoon() : this.#dispatchIn(inMs)),
    };
    this.#prefetcher = new Prefetcher(deps, parts);
    this.#claimer = new Claimer(deps, parts);
  }

  /** Takes over the deliveries that an earlier process left, then works until `close`. */
  async start(): Promise<void> {
    await this.#options.store.afterRestart();
    await this.#expectDue();
    // Not earlier: `afterRestart` may end every lease, whoever holds it.
    this.#closed = false;
    this.#prefetcher.open();
    this.#sweepLater();
    this.#dispatch();
  }

  /** Notes that deliveries of webhooks are due now. */
  wake(webhooks: Iterable<DueWebhook>): void {
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
    if (!this.#closed) this.#track(this.#sweepQueue());
  }

  /** Takes over the deliveries that these owners have left. Attempts of this process continue. */
  async takeOver(owners: readonly string[]): Promise<void> {
    if (owners.length > 0) await this.#options.store.endLeases(owners, [...this.#working]);
    this.sweep();
  }

  /** Returns which new deliveries this process takes into its prefetch buffer now. Reserves nothing. */
  prefetch(): Prefetch {
    return this.#prefetcher.prefetch(this.#now());
  }

  /** Takes deliveries that were stored with a lease of `prefetch`, after the commit. Those that find no room return to the database. */
  offer(deliveries: readonly LeasedDelivery[], lease: NewLease): void {
    this.#dispatch(this.#prefetcher.take(deliveries, lease));
  }

  /**
   * Begins nothing more, and returns the deliveries in the prefetch buffer, so that another process can have
   * them at once.
   */
  close(): void {
    this.#closed = true;
    this.#recorder.hurry();
    this.#cancelTimer();
    this.#cancelSweep();
    this.#prefetcher.close();
  }

  /** Closes, and waits for the attempts under way, at most until their own deadline. */
  async stop(): Promise<void> {
    this.close();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), this.#options.attemptTimeoutMs);
    });
    await Promise.race([this.#settle(), late]);
    clearTimeout(timer);
    // Ends the attempts that are left. They return their deliveries, which the next process sends again.
    await this.#options.sender.destroy();
    await this.#settle();
  }

  async #settle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  #now(): Moment {
    return { wall: this.#deps.clock().getTime(), elapsed: performance.now() };
  }

  /** Registers work that must end before the engine stops. */
  #track(work: Promise<unknown>): void {
    const tracked: Promise<unknown> = work.then(
      () => this.#underWay.delete(tracked),
      (error: unknown) => {
        this.#underWay.delete(tracked);
        this.#deps.log.error({ err: error }, 'unexpected error in the delivery engine');
      },
    );
    this.#underWay.add(tracked);
  }

  /** Tells the scheduler about the open deliveries in the database, whichever process stored them. */
  async #expectDue(): Promise<void> {
    for (const due of await this.#options.store.listDue()) this.#scheduler.expect(due, due.part, due.dueAt);
  }

  /** Dispatches once for everything that this turn of the loop brings. */
  #dispatchSoon(): void {
    if (this.#dispatchQueued) return;
    this.#dispatchQueued = true;
    queueMicrotask(() => {
      this.#dispatchQueued = false;
      this.#dispatch();
    });
  }

  /** Begins the deliveries that the scheduler grants: from the prefetch buffer at once, from the database with the next claim. */
  #dispatch(offer: number | null = null): void {
    if (this.#closed || this.#followingClock) return;
    if (this.#clockWatch.jumpMs !== 0) return this.#track(this.#followClock());
    const now = this.#now();
    for (const grant of this.#scheduler.allot(now)) {
      if (grant.buffered > 0) this.#prefetcher.begin(grant, offer);
      if (QUEUE_PARTS.some((part) => grant.claims[part] > 0)) this.#claimer.claim(grant);
    }
    const waitMs = this.#scheduler.waitMs(now);
    // Bounded, because the clock may be set.
    if (waitMs !== null) this.#dispatchIn(Math.min(waitMs, TIMER_MAX_MS));
  }

  #dispatchIn(ms: number): void {
    this.#cancelTimer();
    if (!this.#closed) this.#cancelTimer = this.#options.timer(() => this.#dispatch(), ms);
  }

  /** Begins a granted delivery, unless its lease may be lost by now. */
  #begin(delivery: LeasedDelivery): void {
    const isHeld = delivery.lease.owner === this.#options.owner();
    this.#track(isHeld ? this.#attempt(delivery) : this.#returnUnbegun(delivery));
  }

  /** Returns a delivery that was granted and has not begun. */
  async #returnUnbegun(delivery: LeasedDelivery): Promise<void> {
    const { part, endpoint } = delivery;
    this.#scheduler.release(keyOf(endpoint), part, 1);
    try {
      const due = await this.#options.store.returnFailed(delivery, 0);
      this.#scheduler.expect(keyOf(endpoint), part, due);
    } catch (error) {
      // As with an attempt that could not be recorded, the lease ends by itself.
      this.#deps.log.error({ err: error, delivery_id: delivery.id }, 'a delivery could not be returned');
    }
    this.#dispatchSoon();
  }

  /** Makes an attempt, records it, and tells the scheduler when the delivery is due again. */
  async #attempt(delivery: LeasedDelivery): Promise<void> {
    const key = keyOf(delivery.endpoint);
    const { part } = delivery;
    const running = this.#scheduler.begin(key, part, this.#now());
    this.#working.add(delivery);
    let outcome: Outcome | NoOutcome = 'failed';
    try {
      outcome = await makeAttempt(this.#deps, this.#options, delivery);
      chaos.reach('attempt.ended');
    } catch (error) {
      this.#deps.log.error({ err: error, delivery_id: delivery.id }, 'unexpected error in an attempt');
    } finally {
      // The receiver has done its part: the next call may go out while this one is being recorded.
      const ok = typeof outcome !== 'string' && outcome.ok;
      this.#scheduler.end(running, { ok, elapsed: this.#now().elapsed });
      this.#dispatchSoon();
    }
    try {
      const recordable = typeof outcome === 'string' || outcome.localFailure ? null : outcome;
      const due = recordable
        ? await this.#recorder.record(delivery, recordable)
        : await this.#returnUnrecorded(delivery, outcome);
      if (due !== null) this.#scheduler.expect(key, recordable ? 'retry' : part, due);
    } catch (error) {
      // The lease ends by itself, and the delivery becomes due again.
      this.#deps.log.error({ err: error, delivery_id: delivery.id }, 'an attempt could not be recorded');
    } finally {
      this.#working.delete(delivery);
      this.#scheduler.recorded(running);
    }
    this.#dispatchSoon();
  }

  /**
   * Returns a delivery to the database without a record of its attempt. Resolves to the time at which it is
   * due again.
   */
  #returnUnrecorded(delivery: LeasedDelivery, outcome: Outcome | NoOutcome): Promise<number> {
    const { store } = this.#options;
    if (outcome === 'secret_unreadable') return store.returnUnsigned(delivery);
    if (outcome === 'interrupted') return store.returnInterrupted(delivery);
    return store.returnFailed(delivery, this.#closed ? 0 : OWN_FAILURE_DELAY_MS);
  }

  /** After the wall clock has jumped, adjusts the times that were written by it. */
  async #followClock(): Promise<void> {
    const { jumpMs } = this.#clockWatch;
    this.#followingClock = true;
    try {
      this.#deps.log.warn({ jump_ms: Math.round(jumpMs) }, 'the clock was set; the schedule follows');
      // The ends of the leases in the prefetch buffer are times of the old clock.
      this.#prefetcher.empty();
      await this.#options.store.followClock(this.#options.owner() ?? '', jumpMs);
      this.#clockWatch.follow();
      await this.#expectDue();
    } catch (error) {
      this.#deps.log.error({ err: error }, 'the schedule could not follow the clock; trying again');
      return this.#dispatchIn(STORAGE_RETRY_MS);
    } finally {
      this.#followingClock = false;
    }
    this.#dispatch();
  }

  #sweepLater(): void {
    this.#cancelSweep();
    this.#cancelSweep = this.#options.timer(() => this.#track(this.#sweepQueue()), SWEEP_MS);
  }

  async #sweepQueue(): Promise<void> {
    try {
      await this.#expectDue();
      this.#dispatch();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the queue could not be swept; trying again');
    }
    if (!this.#closed) this.#sweepLater();
  }
}
