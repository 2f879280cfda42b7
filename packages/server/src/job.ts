import type { DeliveryRow } from './db/deliveries.ts';
import type { WebhookRow } from './db/webhooks.ts';
import type { Line } from './domain/line.ts';

/** One leased delivery, and where it goes. */
export interface Job {
  delivery: DeliveryRow;
  webhook: WebhookRow;
  /** The frozen bytes. */
  body: string;
}

/** A webhook of which something became due. */
export interface Awake {
  webhookId: string;
  workspaceId: string;
  /** Where it waits; default: in either line. */
  line?: Line;
}

/** Whose a delivery is, and until when, ISO 8601: longer than an attempt and its record take. */
export interface Lease {
  owner: string;
  until: string;
}

/**
 * A free place, kept for a delivery that is being stored: it is stored as leased already, and its attempt begins with the
 * commit. Claiming it afterwards would cost another transaction.
 */
export interface Reservation {
  readonly lease: Lease;
  /** Once the delivery is committed. */
  begin(job: Job): void;
  /** When it is not. */
  release(): void;
}
