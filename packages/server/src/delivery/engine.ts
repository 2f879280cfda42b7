import { LIMITS } from '@hubline/contract';
import { chaos } from '#chaos';
import type { Deps } from '../context.ts';
import { LINES } from '../domain/line.ts';
import type { Admission, Awake, Job } from '../job.ts';
import type { OutboundDispatcher } from '../outbound/dispatcher.ts';
import {
  listWork,
  recoverWork,
  returnUnsigned,
  returnWork,
  takeWork,
  type Waiting,
} from '../services/delivery-work.ts';
import { ClockWatch, followClock, limitToClock } from '../services/follow-clock.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import type { LaneLimits, Queue } from './lane.ts';
import { type Allotments, Roster } from './roster.ts';
import { send } from './send.ts';
import { Standby } from './standby.ts';
import { systemTimer, type Timer } from './timer.ts';

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

type EngineDeps = Pick<
  Deps,
  'store' | 'clock' | 'ids' | 'vault' | 'log' | 'mail' | 'metrics' | 'stats' | 'budgets'
>;

// What failed on this side is tried again after this long, without counting for the receiver.
const OUR_FAULT_DELAY_MS = 5_000;
// A look at the whole queue, for whatever another process has put there.
const SWEEP_MS = 30_000;
const STORAGE_RETRY_MS = 1_000;
const TIMER_MAX_MS = 60_000;

/**
 * Delivers: claims what is due, makes the attempts, records what became of them. Claim, attempt and record are three
 * short steps; the attempt is outside any transaction. Webhooks take turns, each with a limited number of places.
 */
export class DeliveryEngine {
  readonly #deps: EngineDeps;
  readonly #options: Required<EngineOptions>;
  readonly #roster: Roster;
  readonly #standby: Standby;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #recorder: AttemptRecorder;
  readonly #clockWatch: ClockWatch;
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
    const { owner, timer } = this.#options;
    this.#roster = new Roster({ ...this.#options, clock: deps.clock });
    this.#standby = new Standby(deps, {
      owner,
      timer,
      roster: this.#roster,
      begin: (queue, job) => this.#begin(queue, job),
      track: (work) => this.#track(work),
      pump: () => this.#pump(),
    });
  }

  /** Takes up what an earlier process left, then works until `stop`. */
  async start(): Promise<void> {
    this.#stopped = false;
    await limitToClock(this.#deps);
    this.#expectAll(await recoverWork(this.#deps));
    // Not before: all leases were ended, whoever had them.
    this.#standby.open();
    this.#sweeper = setInterval(() => void this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
    this.#pump();
  }

  /** Says that webhooks have deliveries that are due now. */
  wake(webhooks: Iterable<Awake>): void {
    for (const webhook of webhooks) this.#roster.wake(webhook);
    this.#pump();
  }

  /** Keeps a place, or room for so many bytes, for the delivery of each of these webhooks that may begin without a claim. */
  admit(webhooks: readonly Job['webhook'][], bytes: number): Admission {
    return this.#standby.admit(webhooks, bytes);
  }

  /** Begins nothing more, gives back what stands by, and waits for the attempts under way, at most until their own deadline. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#recorder.hurry();
    this.#standby.close();
    this.#cancelTimer();
    clearInterval(this.#sweeper);
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#options.attemptTimeoutMs);
    });
    while (this.#pumping || this.#standby.expecting || this.#underWay.size > 0) {
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

  #expectAll(waiting: readonly Waiting[]): void {
    for (const one of waiting) this.#roster.expect(one, one.dueAt);
  }

  #pump(): void {
    this.#again = true;
    if (this.#pumping || this.#stopped) return;
    this.#pumping = true;
    void this.#run();
  }

  /** Ends in the same turn as its last look at `#again`: a wake-up between the two would be lost. */
  async #run(): Promise<void> {
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false;
        await this.#followClock();
        const allotments = this.#roster.allot();
        if (allotments.size === 0) continue;
        await this.#takeOrRevoke(allotments);
        this.#again = true;
      }
      this.#pumping = false;
      this.#schedule();
    } catch (error) {
      this.#deps.log.error({ err: error }, 'the delivery engine could not go on; it tries again');
      this.#pumping = false;
      this.#pumpIn(STORAGE_RETRY_MS);
    }
  }

  async #takeOrRevoke(allotments: Allotments): Promise<void> {
    try {
      await this.#take(allotments);
    } catch (error) {
      this.#roster.revoke(allotments);
      throw error;
    }
  }

  /** When the wall clock was set, sets what was written by it. */
  async #followClock(): Promise<void> {
    const { jumpMs } = this.#clockWatch;
    if (jumpMs === 0) return;
    this.#deps.log.warn({ jump_ms: Math.round(jumpMs) }, 'the clock was set; the schedule follows');
    // It knows the ends of its leases by the clock as it was.
    this.#standby.giveBackAll();
    await followClock(this.#deps, { owner: this.#options.owner, jumpMs });
    this.#clockWatch.follow();
    this.#expectAll(await listWork(this.#deps));
  }

  async #take(allotments: Allotments): Promise<void> {
    await this.#standby.begin(allotments);
    const shares = [...allotments].filter(([, { claims }]) => LINES.some((line) => claims[line] > 0));
    if (shares.length === 0) return;
    const lanes = new Map(shares.map(([lane]) => [lane.webhookId, lane]));
    const wanted = shares.map(([{ webhookId }, { claims }]) => ({ webhookId, limits: claims }));
    const taken = await takeWork(this.#deps, this.#options.owner, wanted);
    chaos.reach('claim.committed');
    for (const { webhookId, limits, jobs, nextDueAt, pausedUntil } of taken) {
      const lane = lanes.get(webhookId);
      if (!lane) continue;
      lane.pausedUntil = pausedUntil;
      const unused = { ...limits };
      for (const job of jobs) {
        const queue = lane.queueOf(job.delivery);
        unused[queue.line] -= 1;
        this.#begin(queue, job);
      }
      for (const line of LINES) {
        const queue = lane.queues[line];
        this.#roster.release(queue, unused[line]);
        const due = nextDueAt[line];
        if (due != null) this.#roster.expectIn(queue, Math.max(Date.parse(due), pausedUntil));
      }
      this.#roster.forgetIdle(lane);
    }
  }

  /** Begins an attempt on a place that is held for it. */
  #begin(queue: Queue, job: Job): void {
    queue.lane.working += 1;
    this.#track(
      this.#work(queue, job).finally(() => {
        queue.lane.working -= 1;
        this.#roster.forgetIdle(queue.lane);
      }),
    );
  }

  /** Work that has to end before the engine has stopped. */
  #track(work: Promise<unknown>): void {
    const tracked = work
      .catch((error: unknown) => this.#deps.log.error({ err: error }, 'the delivery engine met a bug'))
      .finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  /** Delivers, records, and remembers when the delivery is due again. */
  async #work(queue: Queue, job: Job): Promise<void> {
    const { delivery } = job;
    const end = this.#roster.begin(queue);
    let outcome: Awaited<ReturnType<typeof send>> = 'failed';
    try {
      outcome = await send(this.#deps, this.#options, job);
      chaos.reach('attempt.answered');
    } finally {
      // The receiver has done its part: the next call may go out while this one is being recorded.
      end(typeof outcome !== 'string' && outcome.ok);
      this.#pump();
    }
    const answered = typeof outcome === 'string' ? null : outcome;
    try {
      const ours = answered === null || answered.ours;
      const due = ours
        ? await this.#giveBack(job, outcome === 'secret_unreadable')
        : await this.#recorder.record(job, answered);
      if (due === null) return;
      this.#roster.expectIn(ours ? queue : queue.lane.queues.again, Date.parse(due));
      this.#pump();
    } catch (error) {
      // The lease ends by itself, and the delivery becomes due again.
      this.#deps.log.error({ err: error, delivery_id: delivery.id }, 'an attempt could not be recorded');
    }
  }

  /** Gives back what failed on this side; when it is due again. */
  #giveBack(job: Job, unsigned: boolean): Promise<string> {
    if (unsigned) return returnUnsigned(this.#deps, job);
    return returnWork(this.#deps, job.delivery, this.#stopped ? 0 : OUR_FAULT_DELAY_MS);
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
    const { waitMs } = this.#roster;
    // Bounded, because the clock may be set.
    if (waitMs !== null) this.#pumpIn(Math.min(waitMs, TIMER_MAX_MS));
  }

  #pumpIn(ms: number): void {
    this.#cancelTimer();
    if (!this.#stopped) this.#cancelTimer = this.#options.timer(() => this.#pump(), ms);
  }
}
