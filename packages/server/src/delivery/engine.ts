import { LIMITS } from '@hubline/contract';
import { chaos } from '#chaos';
import type { Deps } from '../context.ts';
import { type Line, LINES } from '../domain/line.ts';
import type { Awake, Job, Reservation } from '../job.ts';
import type { OutboundDispatcher } from '../outbound/dispatcher.ts';
import {
  leaseEnd,
  listWork,
  recoverWork,
  returnWork,
  takeWork,
  type Waiting,
} from '../services/delivery-work.ts';
import { ClockWatch, followClock, limitToClock } from '../services/follow-clock.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import { DueHeap } from './due-heap.ts';
import { Lane, type LaneLimits, type Queue } from './lane.ts';
import { Places, SLOW_MS } from './places.ts';
import { send } from './send.ts';
import { Turns } from './turns.ts';

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
  readonly #turns = new Turns();
  readonly #future = new DueHeap<Queue>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #recorder: AttemptRecorder;
  readonly #places: Places;
  readonly #clockWatch: ClockWatch;
  /** Among those, the ones for deliveries that are sent again. */
  readonly #placesAgain: Places;
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
    this.#placesAgain = new Places(Math.ceil(this.#options.concurrency / 2));
  }

  /** Takes up what an earlier process left, then works until `stop`. */
  async start(): Promise<void> {
    this.#stopped = false;
    await limitToClock(this.#deps);
    this.#expectAll(await recoverWork(this.#deps));
    this.#sweeper = setInterval(() => void this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
    this.#pump();
  }

  /** Says that webhooks have deliveries that are due now. */
  wake(webhooks: Iterable<Awake>): void {
    for (const { webhookId, workspaceId, line } of webhooks) {
      const { queues } = this.#lane(webhookId, workspaceId);
      for (const each of line ? [line] : LINES) this.#turns.add(queues[each]);
    }
    this.#pump();
  }

  /**
   * A place for a delivery that is being stored, if its webhook has nothing that is due before it; otherwise it is claimed
   * in its turn.
   */
  reserve(webhook: Job['webhook']): Reservation | null {
    const now = this.#deps.clock();
    const lane = this.#lane(webhook.id, webhook.workspace_id);
    const queue = lane.queues.first;
    const free =
      !this.#stopped &&
      webhook.status === 'active' &&
      // The claim keeps account of a rate limit.
      webhook.rate_per_second === null &&
      !queue.ready &&
      !queue.blocked &&
      queue.dueAt > now.getTime() &&
      lane.free('first') > 0 &&
      this.#places.free > 0;
    if (!free) {
      this.#forgetIdle(lane);
      return null;
    }
    this.#hold(queue, 1);
    this.#reserved += 1;
    return {
      lease: { owner: this.#options.owner, until: new Date(leaseEnd(now)).toISOString() },
      begin: (job) => {
        this.#reserved -= 1;
        // As with a claim: whoever finds the lease at its end takes the delivery over.
        this.#expect(queue, leaseEnd(now));
        this.#begin(queue, job);
      },
      release: () => {
        this.#reserved -= 1;
        this.#release(queue, 1);
        this.#forgetIdle(lane);
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

  #lane(webhookId: string, workspaceId: string): Lane {
    let lane = this.#lanes.get(webhookId);
    if (!lane) {
      lane = new Lane({ webhookId, workspaceId }, this.#options.perWebhook);
      this.#lanes.set(webhookId, lane);
    }
    return lane;
  }

  /** Remembers that a queue has a delivery due at a time. */
  #expect(queue: Queue, dueAt: number): void {
    if (dueAt >= queue.dueAt) return;
    queue.dueAt = dueAt;
    this.#future.push(dueAt, queue);
  }

  #expectAll(waiting: readonly Waiting[]): void {
    for (const { webhookId, workspaceId, line, dueAt } of waiting)
      this.#expect(this.#lane(webhookId, workspaceId).queues[line], dueAt);
  }

  /** Memory holds only webhooks that have something to wait for. */
  #forgetIdle(lane: Lane): void {
    if (lane.idle) this.#lanes.delete(lane.webhookId);
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
      if (allotments.size === 0) continue;
      try {
        await this.#take(allotments);
        this.#again = true;
      } catch (error) {
        for (const [{ queues }, limits] of allotments) {
          for (const line of LINES) {
            this.#release(queues[line], limits[line]);
            if (limits[line] > 0) this.#turns.add(queues[line]);
          }
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
      this.#expectAll(await listWork(this.#deps));
      return true;
    } catch (error) {
      this.#deps.log.error({ err: error }, 'the schedule could not follow the clock; it is tried again');
      this.#pumping = false;
      this.#pumpIn(STORAGE_RETRY_MS);
      return false;
    }
  }

  /** Gives queues whose time has come a turn. */
  #collectDue(): void {
    const now = this.#deps.clock().getTime();
    for (let entry = this.#future.popDue(now); entry; entry = this.#future.popDue(now)) {
      const queue = entry.item;
      if (queue.dueAt !== entry.at) continue;
      queue.dueAt = Number.POSITIVE_INFINITY;
      this.#turns.add(queue);
    }
  }

  /** Gives the free places to workspaces in turn, each an equal share, until nobody who waits can use one. */
  #allot(): Map<Lane, Record<Line, number>> {
    const allotments = new Map<Lane, Record<Line, number>>();
    for (let given = true; given;) {
      given = false;
      const share = Math.max(1, Math.floor(this.#places.free / this.#turns.workspaces));
      for (let turns = this.#turns.workspaces; turns > 0; turns -= 1) {
        if (this.#places.free <= 0 || allotments.size >= LANES_MAX) return allotments;
        if (this.#give(share, allotments)) given = true;
      }
    }
    return allotments;
  }

  /** Gives the queues of the next workspace up to `share` places; whether they took any. */
  #give(share: number, allotments: Map<Lane, Record<Line, number>>): boolean {
    const now = this.#deps.clock().getTime();
    let left = share;
    for (const queue of this.#turns.next()) {
      if (left <= 0) break;
      const { lane, line } = queue;
      const pause = lane.pausedUntil - now;
      // A longer pause than limits can make: the clock was set back.
      if (pause > 0 && pause <= PAUSE_MAX_MS) {
        this.#turns.delete(queue);
        this.#expect(queue, lane.pausedUntil);
        continue;
      }
      const free = lane.free(line);
      const limit = Math.min(free, left, TAKE_MAX, ...this.#placesOf(line).map((places) => places.free));
      if (free <= 0) {
        // It has its turn again when one of its attempts has ended.
        this.#turns.delete(queue);
        queue.blocked = true;
      }
      if (limit <= 0) continue;
      this.#turns.delete(queue);
      this.#hold(queue, limit);
      const limits = allotments.get(lane) ?? { first: 0, again: 0 };
      limits[line] = limit;
      allotments.set(lane, limits);
      left -= limit;
    }
    return left < share;
  }

  async #take(allotments: Map<Lane, Record<Line, number>>): Promise<void> {
    const wanted = [...allotments].map(([{ webhookId }, limits]) => ({ webhookId, limits }));
    const taken = await takeWork(this.#deps, this.#options.owner, wanted);
    chaos.reach('claim.committed');
    for (const { webhookId, limits, jobs, nextDueAt, pausedUntil } of taken) {
      const lane = this.#lanes.get(webhookId);
      if (!lane) throw new Error('A webhook was forgotten while its deliveries were claimed.');
      lane.pausedUntil = pausedUntil;
      const unused = { ...limits };
      for (const job of jobs) {
        const queue = lane.queueOf(job.delivery);
        unused[queue.line] -= 1;
        this.#begin(queue, job);
      }
      for (const line of LINES) {
        const queue = lane.queues[line];
        this.#release(queue, unused[line]);
        const due = nextDueAt[line];
        if (due != null) this.#expect(queue, Math.max(Date.parse(due), pausedUntil));
      }
      this.#forgetIdle(lane);
    }
  }

  #placesOf(line: Line): readonly Places[] {
    return line === 'first' ? [this.#places] : [this.#places, this.#placesAgain];
  }

  #hold(queue: Queue, count: number): void {
    queue.held += count;
    for (const places of this.#placesOf(queue.line)) places.hold(count);
  }

  #release(queue: Queue, count: number): void {
    queue.held -= count;
    for (const places of this.#placesOf(queue.line)) places.release(count);
    this.#unblock(queue.lane);
  }

  #unblock(lane: Lane): void {
    for (const line of LINES) {
      const queue = lane.queues[line];
      if (queue.blocked && lane.free(line) > 0) this.#turns.add(queue);
    }
  }

  /** Begins an attempt on a place that is held for it. */
  #begin(queue: Queue, job: Job): void {
    const work = this.#work(queue, job).then(() => {
      this.#underWay.delete(work);
      this.#forgetIdle(queue.lane);
      return undefined;
    });
    this.#underWay.add(work);
  }

  /** Delivers, records, and remembers when the delivery is due again. */
  async #work(queue: Queue, job: Job): Promise<void> {
    const { delivery } = job;
    const { lane } = queue;
    const began = performance.now();
    const places = this.#placesOf(queue.line).map((shared) => ({ shared, attempt: shared.begin() }));
    const outcome = await send(this.#deps, this.#options, job);
    chaos.reach('attempt.answered');
    // The receiver has done its part: the next call may go out while this one is being recorded.
    lane.learn({ ok: outcome !== null && outcome.ok, durationMs: performance.now() - began });
    queue.held -= 1;
    for (const { shared, attempt } of places) shared.end(attempt);
    this.#unblock(lane);
    this.#pump();
    try {
      const ours = outcome === null || outcome.ours;
      const due = ours
        ? await returnWork(this.#deps, delivery, this.#stopped ? 0 : OUR_FAULT_DELAY_MS)
        : await this.#recorder.record(job, outcome);
      if (due === null) return;
      this.#expect(ours ? queue : lane.queues.again, Date.parse(due));
      this.#pump();
    } catch (error) {
      // The lease ends by itself, and the delivery becomes due again.
      this.#deps.log.error({ err: error, delivery_id: delivery.id }, 'an attempt could not be recorded');
    }
  }

  async #sweep(): Promise<void> {
    try {
      this.#expectAll(await listWork(this.#deps));
      this.#pump();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the queue could not be swept; it is tried again');
    }
  }

  #schedule(): void {
    const { earliest } = this.#future;
    // Somebody waits for a place: slow attempts give theirs back without saying so.
    const crowded = this.#turns.workspaces > 0 && this.#places.mayTurnSlow ? SLOW_MS : TIMER_MAX_MS;
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
