import type { AttemptErrorKind } from '@hubline/contract/constants';
import type { DeliveryState } from '../domain/deliveries/delivery.ts';
import type { DueQueue } from '../domain/deliveries/due-queue.ts';
import type { QueuePart } from '../domain/deliveries/queue-part.ts';

/** A webhook, with the fields that its calls need. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly workspaceId: string;
  readonly url: string;
  /** False while it is disabled. */
  readonly isActive: boolean;
  /**
   * True if its deliveries may wait in the prefetch buffer, which sends them without another claim: it is active, and has no rate limit,
   * which only claims enforce.
   */
  readonly mayBePrefetched: boolean;
  /** The signing secrets, sealed. The previous one is valid until `previousUntil`, ISO 8601. */
  readonly sealed: {
    readonly current: string;
    readonly previous: string | null;
    readonly previousUntil: string | null;
  };
}

/** A delivery that this process has leased, and where it goes. */
export interface LeasedDelivery {
  readonly id: string;
  /**
   * Identifies the lease to the store. A result is recorded only while the row still has this token. An attempt begins only while the
   * owner is still this process.
   */
  readonly lease: { readonly seq: number; readonly token: number; readonly owner: string };
  readonly endpoint: WebhookEndpoint;
  readonly part: QueuePart;
  /** The trigger, such as `event.created`, for a header of the call. */
  readonly trigger: string;
  readonly createdAt: string;
  /** Facts that decide its next state. The engine does not read them. */
  readonly state: DeliveryState;
  /** The number of attempts that were recorded. */
  readonly attempts: number;
  /** The number of attempts that were cut off since the last one that was recorded. */
  readonly interruptions: number;
  /** The frozen bytes; `null` for a large body, which is read only when it is sent. */
  readonly body: string | null;
  /** The approximate size of the body. */
  readonly bytes: number;
}

/** A webhook with deliveries that became due. */
export interface DueWebhook extends Pick<DueQueue, 'webhookId' | 'workspaceId'> {
  /** The part of its queue. Default: both. */
  part?: QueuePart;
}

/** The number of due deliveries of a webhook to claim, for each part of its queue. */
export interface ClaimRequest {
  webhookId: string;
  limits: Readonly<Record<QueuePart, number>>;
  /** The number of further ones of the initial part, to wait in the prefetch buffer; none if the webhook has a rate limit. Default: 0. */
  ahead?: number;
}

/** The claimed deliveries of one webhook. */
export interface Claimed {
  webhookId: string;
  deliveries: LeasedDelivery[];
  /**
   * The time at which the next delivery is due in the parts that were claimed from, in milliseconds since the epoch; `null`: never. Those
   * that the owner has leased do not count.
   */
  nextDueAt: Partial<Record<QueuePart, number | null>>;
  /** The time until which its rate limit allows no more calls, in milliseconds since the epoch; 0 for no pause. */
  pausedUntil: number;
}

/** The result of an attempt, as it is recorded. */
export interface AttemptOutcome {
  startedAt: Date;
  durationMs: number;
  response: { status: number; headers: Record<string, string>; body: string } | null;
  error: { kind: AttemptErrorKind; message: string } | null;
  /** The wait that the receiver asked for with 429 or 503, in milliseconds, at most an hour; `null` when it did not. */
  retryAfterMs: number | null;
  /** A 2xx whose status line and headers came in time. */
  ok: boolean;
}

/** An attempt that has ended. */
export interface EndedAttempt {
  delivery: LeasedDelivery;
  outcome: AttemptOutcome;
}

/**
 * The port between delivery and storage. Times are milliseconds since the epoch where they are numbers. Every change of a leased delivery has
 * an effect only while its lease holds.
 */
export interface DeliveryStore {
  /**
   * Called at the start of a process. Brings forward deliveries that a wrong clock has scheduled too late, and ends all leases if no
   * other process can be alive.
   */
  atStart(): Promise<void>;
  /** The parts of webhook queues that have open deliveries, in pages. Between two pages, SQLite yields to the event loop. */
  listDue(): AsyncIterable<readonly DueQueue[]>;
  /** Leases due deliveries of several webhooks. It leases none of a webhook that is deleted or disabled: they are cancelled or held. */
  claim(owner: string, requests: readonly ClaimRequest[]): Promise<Claimed[]>;
  /**
   * Records attempts and the states that follow. Resolves to the time at which each delivery is due again;
   * `null`: never, or the lease was lost.
   */
  record(ended: readonly EndedAttempt[]): Promise<(number | null)[]>;
  /**
   * Ends the leases of owners who are gone, except those of deliveries that this process is still working on.
   * Their deliveries are due now.
   */
  endLeases(owners: readonly string[], working: readonly LeasedDelivery[]): Promise<void>;
  /** Returns leased deliveries from the prefetch buffer, whose attempts have not begun. They are due now, as if they had never been leased. */
  returnUnbegun(deliveries: readonly LeasedDelivery[]): Promise<void>;
  /**
   * Returns a claimed or new delivery that was not sent, to be due after `delayMs` milliseconds. Resolves to the time
   * at which it is due.
   */
  returnLater(delivery: LeasedDelivery, delayMs: number): Promise<number>;
  /**
   * Returns a delivery whose attempt was cut off: nobody knows whether the receiver got it. It is due now,
   * and the interruption counts. Resolves to the time at which it is due.
   */
  returnInterrupted(delivery: LeasedDelivery): Promise<number>;
  /**
   * Returns a delivery whose call cannot be signed, and disables its webhook until it has a new secret.
   * Resolves to the time at which it is due.
   */
  returnUnsigned(delivery: LeasedDelivery): Promise<number>;
  /** Reads the frozen bytes of a delivery when there are too many of them to come with a claim. */
  readBody(delivery: LeasedDelivery): Promise<Buffer>;
  /** A webhook as it is now; `undefined` when it was deleted. */
  findEndpoint(webhookId: string): Promise<WebhookEndpoint | undefined>;
  /** The secrets that sign a call now, the current one first; `null` if the current one no longer decrypts. */
  signingSecrets(endpoint: WebhookEndpoint, now: Date): string[] | null;
  /** After the wall clock has jumped, adjusts the times that were stored by it. */
  followClock(owner: string, jumpMs: number): Promise<void>;
}

/** A lease with which a process stores new deliveries, so that it can send them without a claim. */
export interface NewLease {
  owner: string;
  /** The end of the lease, ISO 8601. Leaves time for an attempt and its record. */
  until: string;
}

/** Selects the new deliveries that this process takes into its prefetch buffer now. Reserves nothing. */
export interface Prefetch {
  readonly lease: NewLease;
  /** Reports whether a new delivery of this size should be stored with the lease, and offered after the commit. */
  takes(endpoint: WebhookEndpoint, bytes: number): boolean;
}
