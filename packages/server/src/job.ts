import type { DeliveryRow } from './db/deliveries.ts';
import type { WebhookRow } from './db/webhooks.ts';
import type { Line } from './domain/line.ts';

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
export interface Awake {
  webhookId: string;
  workspaceId: string;
  /** Where it waits; default: in either line. */
  line?: Line;
}

/** Whose a new delivery is, and until when, ISO 8601: longer than an attempt and its record take. */
export interface Lease {
  owner: string;
  until: string;
  /** 1: its attempt begins with the commit. 0: nobody can tell from what is stored whether it has begun. */
  token: 0 | 1;
}

/**
 * Places, and room in memory, for deliveries that are being stored: they are stored as leased already, and begin with the commit
 * or as soon as there is a place. Claiming them would cost another transaction.
 */
export interface Admission {
  /** The lease of the delivery to this webhook; `null`: it is claimed in its turn. */
  leaseFor(webhook: WebhookRow): Lease | null;
  /** Once they are committed. */
  begin(jobs: readonly Job[]): void;
  /** When they are not. */
  release(): void;
}
