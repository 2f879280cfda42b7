import {
  type Bucket,
  type Charge,
  processLimiter,
  type Limiter,
  type NewLimiter,
  prepareAll,
  RateLimited,
  takeAll,
} from '../limits/rate-limiter.ts';

/**
 * The payer of a request: an address until its user or workspace is known. The sessions of a user pay for themselves:
 * an open dashboard takes nothing from the programs of the workspace.
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
  /** Default: limits that this process counts alone. */
  newLimiter?: NewLimiter;
}

// A provider that does not retry its calls must not lose events: GitHub alone may send thousands in a minute.
const INGEST_FACTOR = 10;
const SECOND_MS = 1_000;

/** The limits of one kind of payers. */
class Limits {
  readonly #minute: Limiter;
  readonly #second: Limiter | null;

  constructor(kind: string, { perMinute, burst, newLimiter = processLimiter }: RequestLimitsOptions) {
    this.#minute = newLimiter({ kind: `${kind} minute`, limit: perMinute });
    this.#second =
      burst === undefined
        ? null
        : newLimiter({ kind: `${kind} second`, limit: burst, windowMs: SECOND_MS, strict: true });
  }

  bucketsOf(name: string): readonly [Bucket, ...Bucket[]] {
    const minute: Bucket = [this.#minute, name];
    return this.#second ? [minute, [this.#second, name]] : [minute];
  }

  count(name: string, now: Date): Charge {
    return this.#minute.count(name, now);
  }

  giveBack(name: string, now: Date): void {
    for (const [limiter] of this.bucketsOf(name)) limiter.giveBack(name, now);
  }
}

/** The limits on the number of requests, by payer. Specification, "Limits" 1. */
export class RequestLimits {
  readonly #accounts: Limits;
  // Counted apart: a client that makes up addresses fills their memory, not that of the accounts.
  readonly #addresses: Limits;
  readonly #calls: Limiter;

  constructor(options: RequestLimitsOptions) {
    this.#accounts = new Limits('account', options);
    this.#addresses = new Limits('address', options);
    const { newLimiter = processLimiter } = options;
    this.#calls = newLimiter({ kind: 'calls', limit: options.perMinute * INGEST_FACTOR });
  }

  /** Fetches the counts needed to charge a request, as `Limiter.prepare` does. */
  prepare(payer: Payer, now: Date): Promise<void> | undefined {
    return prepareAll(this.#of(payer).bucketsOf(payer.name), now);
  }

  /** `prepare`, for the call of a provider. */
  prepareCall(integrationId: string, now: Date): Promise<void> | undefined {
    return prepareAll([[this.#calls, integrationId]], now);
  }

  /** Charges a request; 429 beyond a limit, which charges nothing. */
  charge(payer: Payer, now: Date): Charge {
    const charge = takeAll(this.#of(payer).bucketsOf(payer.name), now);
    if (charge.allowed) return charge;
    throw new RateLimited(charge, 'requests');
  }

  /** Undoes the charge of a request. */
  giveBack(payer: Payer, now: Date): void {
    this.#of(payer).giveBack(payer.name, now);
  }

  /**
   * Throws 429 for calls to an integration beyond the limit of ingest. Charges nothing: the call is not authenticated
   * yet.
   */
  admitCall(integrationId: string, now: Date): void {
    this.#requireCall(this.#calls.look(integrationId, now));
  }

  /** Charges an authentic call to its integration, and to the workspace even if that has none left. */
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
