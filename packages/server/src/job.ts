import type { DeliveryRow } from './db/deliveries.ts';
import type { WebhookRow } from './db/webhooks.ts';
import type { QueuePart } from './domain/queue-part.ts';

/** One leased delivery, and where it goes. */
export interface Job {
  delivery: DeliveryRow;
  webhook: WebhookRow;
  /** The frozen bytes; `null` where they are so many that they are read only when they are sent. */
  body: string | null;
  /** How many they are, about. */
  bytes: number;
}

/** A webhook of which something became due. */
export interface DueWebhook {
  webhookId: string;
  workspaceId: string;
  /** The part of its queue. Default: both. */
  part?: QueuePart;
}

/** A lease with which a process stores new deliveries, so that it can send them without a claim. */
export interface Lease {
  owner: string;
  /** ISO 8601. Longer than an attempt and its record take. */
  until: string;
}

/** The answer of this process to the question which new deliveries it takes into its prefetch buffer. Nothing is reserved by it. */
export interface Prefetch {
  readonly lease: Lease;
  /** A new delivery of so many bytes to this webhook should be stored with the lease, and offered after the commit. */
  takes(webhook: WebhookRow, bytes: number): boolean;
}
