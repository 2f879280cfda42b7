import { LIMITS } from '@hubline/contract';
import { chaos } from '#chaos';
import type { Deps } from '../context.ts';
import type { WebhookRow } from '../db/webhooks.ts';
import type { Job, Reservation } from '../job.ts';
import type { OutboundDispatcher } from '../outbound/dispatcher.ts';
import {
  type Allotment,
  leaseEnd,
  listWork,
  recoverWork,
  returnWork,
  takeWork,
} from '../services/delivery-work.ts';
import { ClockWatch, followClock, limitToClock } from '../services/follow-clock.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import { DueHeap } from './due-heap.ts';
import { Lane, type LaneLimits } from './lane.ts';
import { Places, SLOW_MS } from './places.ts';
import { send } from './send.ts';

interface EngineOptions {
  dispatcher: OutboundDispatcher;
  /** Names this process on its leases. */
  owner: string;
  userAgent: string;
  /** Attempts under way at the same time. Default 256. */
  concurrency?: number;
  /** Attempts under way to one webhook, so that it cannot take every place. Default: from 4 up to 64. */
  perWebhook?: LaneLimits;
  /** The deadline of an attempt, in milliseconds. Default: the specification's 30 s. */
  attemptTimeoutMs?: number;
  /** Default: the system's timers. */
  timer?: Timer;
  /** Milliseconds of a clock that nobody sets. Default: `performance.now`. */
  monotonic?: () => number;
}

/** Runs something after that many milliseconds, unless what it returns is called before. */
export type Timer = (run: () => void, ms: number) => () => void;

const systemTimer: Timer = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

type EngineDeps = Pick<Deps, 'store' | 'clock' | 'ids' | 'vault' | 'log' | 'mail' | 'metrics'>;

// Deliveries taken from one webhook at a time, and webhooks served in one transaction: both keep it short.
const TAKE_MAX = 64;
const LANES_MAX = 64;
// What failed on this side is tried again after this long, without counting for the receiver.
const OUR_FAULT_DELAY_MS = 5_000;
// A look at the whole queue, for whatever another process has put there.
const SWEEP_MS = 30_000;
const STORAGE_RETRY_MS = 1_000;
const TIMER_MAX_MS = 60_000;
// The lowest rate limit is one call per second.
const PAUSE_MAX_MS = 1_000;

/**
 * Delivers: claims what is due, makes the attempts, records what became of them. Claim, attempt and record are three
 * short steps; the attempt is outside any transaction. Webhooks take turns, each with a limited number of places.
 */
export class DeliveryEngine {
  readonly #deps: EngineDeps;
  readonly #options: Required<EngineOptions>;
  readonly #lanes = new Map<string, Lane>();
  /** Webhooks that may have due deliveries, in the order of their turns. */
  readonly #ready = new Set<string>();
  readonly #future = new DueHeap();
  readonly #underWay = new Set<Promise<void>>();
  readonly #recorder: AttemptRecorder;
  readonly #places: Places;
  readonly #clockWatch: ClockWatch;
  /** Places of deliveries that are not committed yet. */
  #reserved = 0;
  #pumping = false;
  #again = false;
  #stopped = true;
  #cancelTimer = () => {};
  #sweeper: NodeJS.Timeout | undefined;

  constructor(deps: EngineDeps, options: EngineOptions) {
    this.#deps = deps;
    this.#recorder = new AttemptRecorder(deps);
    this.#options = {
      concurrency: 256,
      perWebhook: { first: 4, most: 64 },
      attemptTimeoutMs: LIMITS.attemptTimeoutMs,
      timer: systemTimer,
      monotonic: () => performance.now(),
      ...options,
    };
    this.#clockWatch = new ClockWatch(deps.clock, this.#options.monotonic);
    this.#places = new Places(this.#options.concurrency);
  }

  /** Takes up what an earlier process left, then works until `stop`. */
  async start(): Promise<void> {
    this.#stopped = false;
    await limitToClock(this.#deps);
    for (const { webhookId, dueAt } of await recoverWork(this.#deps))
      this.#expect(webhookId, Date.parse(dueAt));
    this.#sweeper = setInterval(() => void this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
    this.#pump();
  }

  /** Says that webhooks have deliveries that are due now. */
  wake(webhookIds: Iterable<string>): void {
    for (const id of webhookIds) this.#ready.add(id);
    this.#pump();
  }

  /**
   * A place for a delivery that is being stored, if its webhook has nothing that is due before it; otherwise it is claimed
   * in its turn.
   */
  reserve(webhook: WebhookRow): Reservation | null {
    const now = this.#deps.clock();
    const lane = this.#lane(webhook.id);
    const free =
      !this.#stopped &&
      webhook.status === 'active' &&
      // The claim keeps account of a rate limit.
      webhook.rate_per_second === null &&
      !this.#ready.has(webhook.id) &&
      lane.dueAt > now.getTime() &&
      lane.free > 0 &&
      this.#places.free > 0;
    if (!free) {
      this.#forgetIdle(webhook.id, lane);
      return null;
    }
    this.#hold(lane, 1);
    this.#reserved += 1;
    return {
      lease: { owner: this.#options.owner, until: new Date(leaseEnd(now)).toISOString() },
      begin: (job) => {
        this.#reserved -= 1;
        // As with a claim: whoever finds the lease at its end takes the delivery over.
        this.#expect(webhook.id, leaseEnd(now));
        this.#begin(lane, job);
      },
      release: () => {
        this.#reserved -= 1;
        this.#release(lane, 1);
        this.#forgetIdle(webhook.id, lane);
        this.#pump();
      },
    };
  }

  /** Claims nothing more and waits for the attempts under way, at most until their own deadline. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#recorder.hurry();
    this.#cancelTimer();
    clearInterval(this.#sweeper);
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#options.attemptTimeoutMs);
    });
    while (this.#pumping || this.#reserved > 0 || this.#underWay.size > 0) {
      const settled = Promise.allSettled(this.#underWay).then(
        () => new Promise<void>((done) => setImmediate(done)),
      );
      if ((await Promise.race([settled.then(() => 'settled'), deadline.then(() => 'late')])) === 'late')
        break;
    }
    clearTimeout(timer);
    // Ends what is left: those attempts return their deliveries, which the next process sends again.
    await this.#options.dispatcher.destroy();
    await Promise.allSettled(this.#underWay);
  }

  #lane(webhookId: string): Lane {
    let lane = this.#lanes.get(webhookId);
    if (!lane) {
      lane = new Lane(this.#options.perWebhook);
      this.#lanes.set(webhookId, lane);
    }
    return lane;
  }

  /** Remembers that a webhook has a delivery due at a time. */
  #expect(webhookId: string, dueAt: number): void {
    const lane = this.#lane(webhookId);
    if (dueAt >= lane.dueAt) return;
    lane.dueAt = dueAt;
    this.#future.push(dueAt, webhookId);
  }

  /** Memory holds only webhooks that have something to wait for. */
  #forgetIdle(webhookId: string, lane: Lane): void {
    if (lane.idle) this.#lanes.delete(webhookId);
  }

  #pump(): void {
    this.#again = true;
    if (this.#pumping || this.#stopped) return;
    this.#pumping = true;
    void this.#run();
  }

  /** Ends in the same turn as its last look at `#again`: a wake-up between the two would be lost. */
  async #run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      if (this.#clockWatch.jumpMs !== 0 && !(await this.#followClock())) return;
      this.#collectDue();
      const allotments = this.#allot();
      if (allotments.length === 0) continue;
      try {
        await this.#take(allotments);
        this.#again = true;
      } catch (error) {
        for (const { webhookId, limit } of allotments) {
          this.#release(this.#lane(webhookId), limit);
          this.#ready.add(webhookId);
        }
        this.#deps.log.error({ err: error }, 'the delivery engine could not claim; it tries again');
        this.#pumping = false;
        this.#pumpIn(STORAGE_RETRY_MS);
        return;
      }
    }
    this.#pumping = false;
    this.#schedule();
  }

  /** The wall clock was set: what was written by it is, too. `false`: it could not be, and is tried again. */
  async #followClock(): Promise<boolean> {
    const { jumpMs } = this.#clockWatch;
    this.#deps.log.warn({ jump_ms: Math.round(jumpMs) }, 'the clock was set; the schedule follows');
    try {
      await followClock(this.#deps, { owner: this.#options.owner, jumpMs });
      this.#clockWatch.follow();
      for (const { webhookId, dueAt } of await listWork(this.#deps))
        this.#expect(webhookId, Date.parse(dueAt));
      return true;
    } catch (error) {
      this.#deps.log.error({ err: error }, 'the schedule could not follow the clock; it is tried again');
      this.#pumping = false;
      this.#pumpIn(STORAGE_RETRY_MS);
      return false;
    }
  }

  /** Moves webhooks whose time has come to the ready ones. */
  #collectDue(): void {
    const now = this.#deps.clock().getTime();
    for (let entry = this.#future.popDue(now); entry; entry = this.#future.popDue(now)) {
      const lane = this.#lanes.get(entry.name);
      if (lane?.dueAt !== entry.at) continue;
      lane.dueAt = Number.POSITIVE_INFINITY;
      this.#ready.add(entry.name);
    }
  }

  /** Gives the free places to ready webhooks in turn. One without a free place of its own stays ready. */
  #allot(): Allotment[] {
    const now = this.#deps.clock().getTime();
    const allotments: Allotment[] = [];
    for (const webhookId of this.#ready) {
      const { free } = this.#places;
      if (free <= 0 || allotments.length === LANES_MAX) break;
      const lane = this.#lane(webhookId);
      const pause = lane.pausedUntil - now;
      // A longer pause than limits can make: the clock was set back.
      if (pause > 0 && pause <= PAUSE_MAX_MS) {
        this.#ready.delete(webhookId);
        this.#expect(webhookId, lane.pausedUntil);
        continue;
      }
      const limit = Math.min(lane.free, free, TAKE_MAX);
      if (limit <= 0) continue;
      this.#ready.delete(webhookId);
      this.#hold(lane, limit);
      allotments.push({ webhookId, limit });
    }
    return allotments;
  }

  async #take(allotments: Allotment[]): Promise<void> {
    const taken = await takeWork(this.#deps, this.#options.owner, allotments);
    chaos.reach('claim.committed');
    for (const { webhookId, limit, jobs, nextDueAt, pausedUntil } of taken) {
      const lane = this.#lane(webhookId);
      lane.pausedUntil = pausedUntil;
      this.#release(lane, limit - jobs.length);
      for (const job of jobs) this.#begin(lane, job);
      if (nextDueAt !== null) this.#expect(webhookId, Math.max(Date.parse(nextDueAt), pausedUntil));
      this.#forgetIdle(webhookId, lane);
    }
  }

  #hold(lane: Lane, count: number): void {
    lane.hold(count);
    this.#places.hold(count);
  }

  #release(lane: Lane, count: number): void {
    lane.release(count);
    this.#places.release(count);
  }

  /** Begins an attempt on a place that is held for it. */
  #begin(lane: Lane, job: Job): void {
    const work = this.#work(lane, job).then(() => {
      this.#underWay.delete(work);
      this.#forgetIdle(job.delivery.webhook_id, lane);
      return undefined;
    });
    this.#underWay.add(work);
  }

  /** Delivers, records, and remembers when the delivery is due again. */
  async #work(lane: Lane, job: Job): Promise<void> {
    const { delivery } = job;
    const place = this.#places.begin();
    const outcome = await send(this.#deps, this.#options, job);
    chaos.reach('attempt.answered');
    const ok = outcome !== null && outcome.ok;
    // The receiver has done its part: the next call may go out while this one is being recorded.
    lane.end({ ok, durationMs: performance.now() - place.since });
    this.#places.end(place);
    this.#pump();
    try {
      const due =
        outcome === null || outcome.ours
          ? await returnWork(this.#deps, delivery, this.#stopped ? 0 : OUR_FAULT_DELAY_MS)
          : await this.#recorder.record(job, outcome);
      if (due === null) return;
      this.#expect(delivery.webhook_id, Date.parse(due));
      this.#pump();
    } catch (error) {
      // The lease ends by itself, and the delivery becomes due again.
      this.#deps.log.error({ err: error, delivery_id: delivery.id }, 'an attempt could not be recorded');
    }
  }

  async #sweep(): Promise<void> {
    try {
      for (const { webhookId, dueAt } of await listWork(this.#deps))
        this.#expect(webhookId, Date.parse(dueAt));
      this.#pump();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the queue could not be swept; it is tried again');
    }
  }

  #schedule(): void {
    const { earliest } = this.#future;
    // Somebody waits for a place: slow attempts give theirs back without saying so.
    const crowded = this.#ready.size > 0 && this.#places.mayTurnSlow ? SLOW_MS : TIMER_MAX_MS;
    if (earliest === null && crowded === TIMER_MAX_MS) return;
    const wait = Math.max(0, (earliest ?? Number.POSITIVE_INFINITY) - this.#deps.clock().getTime());
    // Rounded up, because a timer may fire a millisecond early; bounded, because the clock may be set.
    this.#pumpIn(Math.min(wait + 1, crowded));
  }

  #pumpIn(ms: number): void {
    this.#cancelTimer();
    if (!this.#stopped) this.#cancelTimer = this.#options.timer(() => this.#pump(), ms);
  }
}
