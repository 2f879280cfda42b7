import { type Bucket, type Charge, RateLimited, RateLimiter, takeAll } from '../limits/rate-limiter.ts';

/**
 * The one that pays for a request: an address, until it is known which user or workspace it comes from. The sessions of a user
 * pay for themselves: a dashboard that is open takes nothing from the programs of the workspace.
 */
export interface Payer {
  kind: 'address' | 'user' | 'session' | 'workspace';
  name: string;
}

interface RequestLimitsOptions {
  /** Requests per minute. */
  perMinute: number;
  /** Requests per second; absent for no such limit. */
  burst: number | undefined;
}

// A provider that does not repeat its calls must not lose events: GitHub alone may send thousands in a minute.
const INGEST_FACTOR = 10;
const SECOND_MS = 1_000;

/** The limits of one kind of payers. */
class Limits {
  readonly #minute: RateLimiter;
  readonly #second: RateLimiter | null;

  constructor({ perMinute, burst }: RequestLimitsOptions) {
    this.#minute = new RateLimiter(perMinute);
    this.#second = burst === undefined ? null : new RateLimiter(burst, SECOND_MS);
  }

  take(name: string, now: Date): Charge {
    const minute: Bucket = [this.#minute, name];
    return takeAll(this.#second ? [minute, [this.#second, name]] : [minute], now);
  }

  count(name: string, now: Date): Charge {
    return this.#minute.count(name, now);
  }

  giveBack(name: string, now: Date): void {
    this.#minute.giveBack(name, now);
    this.#second?.giveBack(name, now);
  }
}

/** How many requests may come, by who pays for them. Specification, "Limits". */
export class RequestLimits {
  readonly #accounts: Limits;
  // Apart: whoever makes up addresses fills their memory, and not that of workspaces.
  readonly #addresses: Limits;
  readonly #calls: RateLimiter;

  constructor(options: RequestLimitsOptions) {
    this.#accounts = new Limits(options);
    this.#addresses = new Limits(options);
    this.#calls = new RateLimiter(options.perMinute * INGEST_FACTOR);
  }

  /** Charges a request; 429 beyond a limit, which charges nothing. */
  charge(payer: Payer, now: Date): Charge {
    const charge = this.#of(payer).take(payer.name, now);
    if (charge.allowed) return charge;
    throw new RateLimited(charge, 'requests');
  }

  /** Takes the charge of a request back. */
  giveBack(payer: Payer, now: Date): void {
    this.#of(payer).giveBack(payer.name, now);
  }

  /** 429 for calls to an integration beyond the limit of ingest. Charges nothing: nobody has proved anything yet. */
  admitCall(integrationId: string, now: Date): void {
    this.#requireCall(this.#calls.look(integrationId, now));
  }

  /** Charges an authentic call to its integration, and to the workspace whatever that has left. */
  chargeCall(
    { integrationId, workspaceId }: { integrationId: string; workspaceId: string },
    now: Date,
  ): Charge {
    this.#requireCall(this.#calls.take(integrationId, now));
    return this.#accounts.count(workspaceId, now);
  }

  #requireCall(charge: Charge): void {
    if (!charge.allowed) throw new RateLimited(charge, 'calls to this integration');
  }

  #of({ kind }: Payer): Limits {
    return kind === 'address' ? this.#addresses : this.#accounts;
  }
}
