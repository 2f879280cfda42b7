import { chaos } from '#chaos';
import { pause } from '../clock/timer.ts';
import { NO_OWNER_MS, STORAGE_RETRY_MS } from '../clock/waits.ts';
import { QUEUE_PARTS } from '../domain/deliveries/queue-part.ts';
import { leaseEnd } from '../domain/lease.ts';
import type { Claimed, DeliveryStore, LeasedDelivery } from './delivery-store.ts';
import type { EngineDeps, EngineParts } from './engine-parts.ts';
import type { Grant, Scheduler } from './scheduler/scheduler.ts';

interface ClaimerParts extends Omit<EngineParts, 'scheduler' | 'store' | 'timer'> {
  scheduler: Pick<Scheduler, 'wake' | 'release' | 'expect' | 'pause'>;
  store: Pick<DeliveryStore, 'claim'>;
}

// All webhooks together, in claims that wait or run: their transaction stays short, and the bodies that are not in the buffer yet take little
// memory.
const AHEAD_AT_ONCE = 256;

/** Claims granted deliveries from the database, one transaction at a time: grants that come in meanwhile share the next one. */
export class Claimer {
  readonly #deps: Pick<EngineDeps, 'log'>;
  readonly #parts: ClaimerParts;
  #waiting: Grant[] = [];
  /** The number of deliveries to be claimed ahead by the claims that wait or run. */
  #ahead = 0;
  #claiming = false;
  #closed = false;

  constructor(deps: Pick<EngineDeps, 'log'>, parts: ClaimerParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  /** The number of deliveries that may be claimed ahead now. */
  get mayClaimAhead(): number {
    return Math.max(0, AHEAD_AT_ONCE - this.#ahead);
  }

  claim(grant: Grant): void {
    if (this.#closed) return;
    this.#waiting.push(grant);
    this.#ahead += grant.ahead;
    if (this.#claiming) return;
    this.#claiming = true;
    this.#parts.track(this.#claimAll());
  }

  /** Claims nothing more. `begin` returns the deliveries of a claim under way. */
  close(): void {
    this.#closed = true;
    this.#waiting = [];
  }

  async #claimAll(): Promise<void> {
    // Grants of the same turn of the event loop share a transaction.
    await Promise.resolve();
    try {
      while (this.#waiting.length > 0) {
        const grants = this.#waiting.splice(0);
        try {
          await this.#claimSome(grants);
        } finally {
          for (const { ahead } of grants) this.#ahead -= ahead;
        }
      }
    } finally {
      this.#claiming = false;
    }
  }

  async #claimSome(grants: readonly Grant[]): Promise<void> {
    const { owner, store, dispatch } = this.#parts;
    const byWebhook = new Map<string, Grant>();
    for (const grant of grants) byWebhook.set(grant.webhookId, merge(byWebhook.get(grant.webhookId), grant));
    const name = owner();
    if (name === null) {
      for (const grant of byWebhook.values()) this.#giveBack(grant);
      await pause(NO_OWNER_MS);
      return dispatch();
    }
    let claimed: Claimed[];
    // The leases end then or later.
    const end = leaseEnd(this.#parts.now().wall);
    try {
      const wanted = [...byWebhook.values()].map(({ webhookId, claims, ahead }) => ({
        webhookId,
        limits: claims,
        ahead,
      }));
      claimed = await store.claim(name, wanted);
    } catch (error) {
      this.#deps.log.error({ err: error }, 'deliveries could not be claimed; trying again');
      for (const grant of byWebhook.values()) this.#giveBack(grant);
      return dispatch(STORAGE_RETRY_MS);
    }
    chaos.reach('claim.committed');
    for (const one of claimed) {
      const grant = byWebhook.get(one.webhookId);
      if (grant) this.#begin(grant, one, end);
    }
    dispatch();
  }

  #begin(grant: Grant, { deliveries, nextDueAt, pausedUntil }: Claimed, end: number): void {
    const { scheduler, begin, keep } = this.#parts;
    if (pausedUntil > 0) scheduler.pause(grant, pausedUntil);
    const unused = { ...grant.claims };
    const ahead: LeasedDelivery[] = [];
    for (const delivery of deliveries) {
      if (unused[delivery.part] === 0) ahead.push(delivery);
      else {
        unused[delivery.part] -= 1;
        begin(delivery);
      }
    }
    keep(ahead, end);
    for (const part of QUEUE_PARTS) {
      const due = nextDueAt[part];
      if (due != null) scheduler.expect(grant, part, Math.max(due, pausedUntil));
      if (unused[part] > 0) scheduler.release(grant, part, unused[part]);
    }
  }

  /** Returns the permits, and lets the webhook wait for another turn. */
  #giveBack(grant: Grant): void {
    const { scheduler } = this.#parts;
    for (const part of QUEUE_PARTS) {
      const count = grant.claims[part];
      if (count > 0 || (part === 'initial' && grant.ahead > 0)) scheduler.wake(grant, part);
      if (count > 0) scheduler.release(grant, part, count);
    }
  }
}

function merge(one: Grant | undefined, other: Grant): Grant {
  if (!one) return other;
  const claims = { ...one.claims };
  for (const part of QUEUE_PARTS) claims[part] += other.claims[part];
  return { ...other, claims, ahead: one.ahead + other.ahead };
}
