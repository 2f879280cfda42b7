import { LIMITS } from '@hubline/contract';
import type { Deps } from '../context.ts';
import type { Admission, Job, Lease } from '../job.ts';
import { findWebhooksOf, leaseEnd, returnUnbegun } from '../services/delivery-work.ts';
import type { Queue, Standing } from './lane.ts';
import type { Allotments, Roster } from './roster.ts';
import { StandbyRoom } from './standby-room.ts';
import type { Timer } from './timer.ts';

type Webhook = Job['webhook'];

interface StandbyOptions {
  /** Names this process on its leases. */
  owner: string;
  roster: Roster;
  timer: Timer;
  /** Begins an attempt on a place that is held for it. */
  begin: (queue: Queue, job: Job) => void;
  /** Is told of work that has to end before the engine has stopped. */
  track: (work: Promise<unknown>) => void;
  /** Looks for what can begin. */
  pump: () => void;
}

// A delivery begins only while its lease outlasts the attempt and its record. Those that do not are looked for this often.
const ATTEMPT_MS = LIMITS.attemptTimeoutMs + 5_000;
const CHECK_MS = 5_000;

/**
 * New deliveries, from when they are stored until they begin. They are stored as leased, and wait in memory for a place: to
 * claim them afterwards would cost as much as storing them did. What cannot begin from here is given back to the database.
 */
export class Standby {
  readonly #deps: Pick<Deps, 'store' | 'clock' | 'log'>;
  readonly #options: StandbyOptions;
  readonly #room = new StandbyRoom();
  /** Admissions of what is not committed yet. */
  #open = 0;
  #closed = true;
  #cancelCheck: (() => void) | null = null;

  constructor(deps: Pick<Deps, 'store' | 'clock' | 'log'>, options: StandbyOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Something is being stored that was admitted. */
  get expecting(): boolean {
    return this.#open > 0;
  }

  open(): void {
    this.#closed = false;
  }

  /** Admits nothing more, and gives everything back: another process may have it at once. */
  close(): void {
    this.#closed = true;
    this.#cancelCheck?.();
    this.giveBackAll();
  }

  /** Holds a place for the delivery of each of these webhooks that is free to begin, or else room for so many bytes. */
  admit(webhooks: readonly Webhook[], bytes: number): Admission {
    const { owner, roster } = this.#options;
    const placed = new Map<string, Queue>();
    const standing = new Map<string, Queue>();
    for (const webhook of this.#closed ? [] : webhooks) {
      const queue = needsNoClaim(webhook) ? roster.newcomers(webhook) : null;
      if (!queue) continue;
      if (roster.hold(queue)) placed.set(webhook.id, queue);
      else if (this.#room.take(queue.lane, bytes)) standing.set(webhook.id, queue);
      else roster.forgetIdle(queue.lane);
    }
    const end = leaseEnd(this.#deps.clock());
    const lease = (token: 0 | 1): Lease => ({ owner, until: new Date(end).toISOString(), token });
    const [begins, stands] = [lease(1), lease(0)];
    this.#open += 1;
    return {
      leaseFor: ({ id }) => (placed.has(id) ? begins : standing.has(id) ? stands : null),
      begin: (jobs) => {
        this.#open -= 1;
        // If the clock was set back meanwhile, so is the end of the lease.
        this.#receive(jobs, { bytes, leaseEnd: Math.min(end, leaseEnd(this.#deps.clock())) });
      },
      release: () => {
        this.#open -= 1;
        for (const queue of placed.values()) roster.release(queue, 1);
        for (const { lane } of standing.values()) this.#room.giveBack(lane, bytes);
        for (const { lane } of [...placed.values(), ...standing.values()]) roster.forgetIdle(lane);
        this.#options.pump();
      },
    };
  }

  /** Begins what has a place now. Meanwhile its webhook may have been changed, disabled or deleted. */
  async begin(allotments: Allotments): Promise<void> {
    const shares = [...allotments].filter(([, { standing }]) => standing.length > 0);
    if (shares.length === 0) return;
    const ids = shares.map(([{ webhookId }]) => webhookId);
    const webhooks = await findWebhooksOf(this.#deps, ids);
    const earliest = this.#deps.clock().getTime() + ATTEMPT_MS;
    const unfit: Standing[] = [];
    for (const [{ webhookId, queues }, share] of shares) {
      const webhook = webhooks.get(webhookId);
      for (const standing of share.standing.splice(0)) {
        if (!this.#closed && webhook && needsNoClaim(webhook) && standing.leaseEnd >= earliest) {
          this.#room.giveBack(queues.first.lane, standing.bytes);
          this.#options.begin(queues.first, { ...standing.job, webhook });
        } else {
          this.#options.roster.release(queues.first, 1);
          unfit.push(standing);
        }
      }
    }
    this.#giveBack(unfit);
  }

  giveBackAll(): void {
    this.#giveBack(this.#options.roster.unstand(Number.POSITIVE_INFINITY));
  }

  /** What has just been stored begins, or stands by. */
  #receive(jobs: readonly Job[], terms: Omit<Standing, 'job'>): void {
    const { roster, begin, pump } = this.#options;
    const standing: Standing[] = [];
    for (const job of jobs) {
      const queue = roster.queueOf(job.webhook);
      // As with a claim: whoever finds the lease at its end takes the delivery over.
      roster.expectIn(queue, terms.leaseEnd);
      if (job.delivery.lease_token > 0) begin(queue, job);
      else standing.push({ job, ...terms });
    }
    if (standing.length === 0) return;
    if (this.#closed) return this.#giveBack(standing);
    for (const one of standing) roster.stand(one);
    this.#checkLater();
    pump();
  }

  /** Those that wait for receivers that are slow or hang must not wait here for too long. */
  #checkLater(): void {
    if (this.#room.empty) return;
    this.#cancelCheck ??= this.#options.timer(() => {
      this.#cancelCheck = null;
      this.#giveBack(this.#options.roster.unstand(this.#deps.clock().getTime() + ATTEMPT_MS));
      this.#checkLater();
    }, CHECK_MS);
  }

  /** Leaves them to the next claim, which knows what to do with each. */
  #giveBack(returned: readonly Standing[]): void {
    if (returned.length === 0) return;
    const { roster, track } = this.#options;
    for (const { job, bytes } of returned) this.#room.giveBack(roster.queueOf(job.webhook).lane, bytes);
    track(this.#return(returned.map(({ job }) => job)));
  }

  async #return(jobs: readonly Job[]): Promise<void> {
    const { owner, roster, pump } = this.#options;
    const deliveries = jobs.map(({ delivery }) => delivery);
    try {
      await returnUnbegun(this.#deps, owner, deliveries);
    } catch (error) {
      // The leases end by themselves, and the deliveries become due again.
      this.#deps.log.error({ err: error }, 'deliveries that stand by could not be given back');
      return;
    }
    for (const { webhook } of jobs) {
      roster.wake({ webhookId: webhook.id, workspaceId: webhook.workspace_id, line: 'first' });
    }
    pump();
  }
}

/** Whether calls of a webhook may begin from memory: the claim keeps account of its rate limit, and holds what is disabled. */
function needsNoClaim({ status, rate_per_second: limit }: Webhook): boolean {
  return status === 'active' && limit === null;
}
