import { LIMITS } from '@hubline/contract';
import { nextTurn } from '../../clock/timer.ts';
import { STORAGE_RETRY_MS } from '../../clock/waits.ts';
import { leaseEnd } from '../../domain/lease.ts';
import type {
  DeliveryStore,
  WebhookEndpoint,
  LeasedDelivery,
  NewLease,
  Prefetch,
} from '../delivery-store.ts';
import type { EngineDeps, EngineParts } from '../engine-parts.ts';
import type { Prefetched, PrefetchBuffer } from './prefetch-buffer.ts';
import type { Grant, Scheduler } from '../scheduler/scheduler.ts';
import { keyOf } from '../scheduler/webhook-queue.ts';
import { isoTime, millis } from '../../domain/time.ts';

interface PrefetcherParts extends Omit<EngineParts, 'scheduler' | 'store'> {
  scheduler: Pick<Scheduler, 'wake' | 'release' | 'takesNew' | 'noteBuffered' | 'noteUnbuffered'>;
  store: Pick<DeliveryStore, 'findEndpoint' | 'returnUnbegun'>;
  buffer: PrefetchBuffer;
}

// A delivery begins only while its lease outlasts the attempt and its record.
const ATTEMPT_MS = LIMITS.attemptTimeoutMs + 5_000;
// The period of the check for leases that have become too short.
const LEASE_CHECK_MS = 5_000;

/**
 * Fills the prefetch buffer, and begins its deliveries when they are granted a permit. They come from two sides: new ones are stored with a
 * lease of this process and offered after the commit; those of a backlog are claimed ahead of their permits. Deliveries that find no room,
 * or may no longer begin, return to the database.
 */
export class Prefetcher {
  readonly #deps: Pick<EngineDeps, 'log'>;
  readonly #parts: PrefetcherParts;
  readonly #buffer: PrefetchBuffer;
  #closed = true;
  #offers = 0;
  /** The number of times that everything was returned. */
  #emptied = 0;
  #cancelLeaseCheck: (() => void) | null = null;
  /** Deliveries to be returned to the database. */
  #returning: LeasedDelivery[] = [];

  constructor(deps: Pick<EngineDeps, 'log'>, parts: PrefetcherParts) {
    this.#deps = deps;
    this.#parts = parts;
    this.#buffer = parts.buffer;
  }

  open(): void {
    this.#closed = false;
  }

  /** Accepts nothing more, and returns everything, so that another process can take it at once. */
  close(): void {
    this.#closed = true;
    this.#cancelLeaseCheck?.();
    this.#cancelLeaseCheck = null;
    this.empty();
  }

  /** The approximate number of deliveries that may be claimed into the buffer now. */
  get roomForBacklog(): number {
    return this.#closed ? 0 : this.#buffer.roomForBacklog;
  }

  /**
   * Says which new deliveries this process takes now, and with which lease. Reserves nothing: an offer that finds the
   * buffer full is harmless.
   */
  prefetch(): Prefetch {
    const { scheduler } = this.#parts;
    const now = this.#parts.now();
    const owner = this.#parts.owner();
    return {
      lease: { owner: owner ?? '', until: isoTime(leaseEnd(now.wall)) },
      takes: ({ id, mayBePrefetched }, bytes) =>
        !this.#closed &&
        owner !== null &&
        mayBePrefetched &&
        scheduler.takesNew(id, now) &&
        this.#buffer.hasRoom(id, bytes),
    };
  }

  /**
   * Accepts deliveries that are committed with a lease of `prefetch`; returns those that find no room to the database. Its result is the number
   * of the offer, for `begin`.
   */
  accept(deliveries: readonly LeasedDelivery[], { until }: NewLease): number {
    const offer = (this.#offers += 1);
    this.#keep(deliveries, millis(until), offer);
    return offer;
  }

  /** Accepts claimed deliveries that have no permit yet. Their webhook is read again before they begin, as for all that have waited. */
  keep(deliveries: readonly LeasedDelivery[], end: number): void {
    if (deliveries.length > 0) this.#keep(deliveries, end, 0);
  }

  #keep(deliveries: readonly LeasedDelivery[], until: number, offer: number): void {
    const { scheduler, now } = this.#parts;
    // If the clock was set back in the meantime, the lease ends no later than a new one would.
    const end = Math.min(until, leaseEnd(now().wall));
    const surplus: LeasedDelivery[] = [];
    for (const delivery of deliveries) {
      if (!this.#closed && this.#buffer.add({ delivery, leaseEnd: end, offer }))
        scheduler.noteBuffered(keyOf(delivery.endpoint), 1);
      else surplus.push(delivery);
    }
    this.#returnToDatabase(surplus);
    this.#checkLeasesLater();
  }

  /**
   * Begins deliveries that were granted: those of `freshOffer` at once, the others after their webhook is read again. Returns those whose
   * lease is too short.
   */
  begin(grant: Grant, freshOffer: number | null): void {
    const waited: Prefetched[] = [];
    for (const prefetched of this.#buffer.take(grant.webhookId, grant.buffered)) {
      // After a slow commit, even a new lease may be too short.
      if (prefetched.offer === freshOffer && this.#outlastsAttempt(prefetched))
        this.#parts.begin(prefetched.delivery);
      else waited.push(prefetched);
    }
    if (waited.length > 0) this.#parts.track(this.#beginWaited(grant, waited));
  }

  /** Returns deliveries to the database if their lease ends before a moment, in milliseconds since the epoch. Default: all. */
  empty(leasedUntil?: number): void {
    if (leasedUntil === undefined) this.#emptied += 1;
    const taken = this.#buffer.takeLeasedUntil(leasedUntil);
    for (const { delivery } of taken) this.#parts.scheduler.noteUnbuffered(keyOf(delivery.endpoint), 1);
    this.#returnToDatabase(taken.map(({ delivery }) => delivery));
  }

  /** Begins deliveries that have waited: meanwhile the webhook may have been changed, disabled or deleted. */
  async #beginWaited(grant: Grant, waited: readonly Prefetched[]): Promise<void> {
    const { owner, store, scheduler, begin } = this.#parts;
    const emptied = this.#emptied;
    let endpoint: WebhookEndpoint | undefined;
    try {
      endpoint = await store.findEndpoint(grant.webhookId);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'a webhook could not be read; its deliveries wait');
      // If the buffer was emptied meanwhile, to close or because the clock was changed, they must not wait again: without an endpoint, they
      // are returned below.
      if (emptied === this.#emptied) return this.#waitAgain(grant, waited);
    }
    const unfit: LeasedDelivery[] = [];
    for (const prefetched of waited) {
      const { delivery } = prefetched;
      const isOurs = delivery.lease.owner === owner() && this.#outlastsAttempt(prefetched);
      if (!this.#closed && endpoint?.mayBePrefetched && isOurs) begin({ ...delivery, endpoint });
      else unfit.push(delivery);
    }
    if (unfit.length > 0) scheduler.release(grant, 'initial', unfit.length);
    this.#returnToDatabase(unfit);
  }

  #outlastsAttempt({ leaseEnd: end }: Prefetched): boolean {
    return end >= this.#parts.now().wall + ATTEMPT_MS;
  }

  /** Puts deliveries back into the buffer, to begin them later. */
  #waitAgain(grant: Grant, waited: readonly Prefetched[]): void {
    const { scheduler, dispatch } = this.#parts;
    this.#buffer.putBack(waited);
    scheduler.noteBuffered(grant, waited.length);
    scheduler.release(grant, 'initial', waited.length);
    this.#checkLeasesLater();
    dispatch(STORAGE_RETRY_MS);
  }

  /** Starts the next check, which returns deliveries to slow receivers before their lease is too short. */
  #checkLeasesLater(): void {
    if (this.#closed || this.#buffer.items === 0) return;
    this.#cancelLeaseCheck ??= this.#parts.timer(() => {
      this.#cancelLeaseCheck = null;
      this.empty(this.#parts.now().wall + ATTEMPT_MS);
      this.#checkLeasesLater();
    }, LEASE_CHECK_MS);
  }

  /** Returns deliveries to the database, where the next claim decides about each. */
  #returnToDatabase(deliveries: readonly LeasedDelivery[]): void {
    if (deliveries.length === 0) return;
    if (this.#returning.push(...deliveries) === deliveries.length) this.#parts.track(this.#returnAll());
  }

  /** Returns what this turn of the event loop brings, in one transaction: each event of a batch may come with an offer of its own. */
  async #returnAll(): Promise<void> {
    const { store, scheduler, dispatch } = this.#parts;
    await nextTurn();
    const deliveries = this.#returning;
    this.#returning = [];
    try {
      await store.returnUnbegun(deliveries);
    } catch (error) {
      // The leases end by themselves, and a sweep finds the deliveries.
      this.#deps.log.error({ err: error }, 'deliveries could not be returned from the prefetch buffer');
      return;
    }
    for (const { endpoint } of deliveries) scheduler.wake(keyOf(endpoint), 'initial');
    dispatch();
  }
}
