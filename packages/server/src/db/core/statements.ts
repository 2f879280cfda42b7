import type { RawBuilder, Selectable, SqlBool } from 'kysely';
import type { JsonPiece } from '../../domain/json/encoded.ts';
import type { QueuePart } from '../../domain/deliveries/queue-part.ts';
import type { IdBytes, IdHex } from './columns/columns.ts';
import type { Awaitable } from './awaitable.ts';
import type { Database, Db, Tx } from './schema.ts';

type Row<Table extends keyof Database> = Selectable<Database[Table]>;

/** An event to store. */
export type EventInsert = Omit<Row<'events'>, 'seq' | 'payload'> & { payload: JsonPiece };

/** The outcome of a request to store under its key. */
export type OutcomeInsert = Omit<Row<'idempotency_keys'>, 'seq'>;

/** A stored outcome. */
export type StoredOutcome = Omit<OutcomeInsert, 'created_at'>;

/** A job to store with a lease, which ends at `due_at`. */
export type JobInsert = Pick<Row<'jobs'>, 'kind' | 'key' | 'payload' | 'due_at' | 'created_at'> & {
  lease_owner: string;
};

/** The time for which a process alone refreshes the token of an integration. */
export type RefreshLease = Row<'refresh_leases'>;

/** A delivery to store, which has not been attempted. */
export type DeliveryInsert = Omit<Row<'deliveries'>, 'seq' | `last_${string}`>;

/** The columns of a delivery that services know, beside its IDs. */
const DELIVERY_COLUMNS = [
  'seq',
  'event_type',
  'status',
  'trigger',
  'attempt_count',
  'scheduled_count',
  'next_attempt_at',
  'manual',
  'due_at',
  'lease_owner',
  'lease_token',
  'interruptions',
  'created_at',
  'completed_at',
  'last_at',
  'last_duration_ms',
  'last_status',
  'last_error_kind',
] as const satisfies readonly (keyof Row<'deliveries'>)[];

/** A delivery with these columns. Its workspace is not among them: the caller knows it. */
export interface DeliveryColumns extends Pick<Row<'deliveries'>, (typeof DELIVERY_COLUMNS)[number]> {
  id: IdHex;
  webhook_id: IdHex;
  event_id: IdHex | null;
}

/** The columns of a delivery that is read, as a statement selects or returns them. */
export const deliveryColumns = (hexOf: Statements['hexOf']) => [
  ...DELIVERY_COLUMNS,
  hexOf('id').as('id'),
  hexOf('webhook_id').as('webhook_id'),
  hexOf('event_id').as('event_id'),
];

/** A claim of due deliveries of one webhook. */
export interface WebhookClaim {
  webhookId: IdBytes;
  owner: string;
  now: number;
  leaseUntil: number;
  limit: number;
}

/** A question for the next due delivery of one webhook. */
export type NextDueQuery = Pick<WebhookClaim, 'webhookId' | 'owner' | 'now'>;

/** The outcome of a leased delivery. */
export type StoredResult = Omit<
  Row<'deliveries'>,
  | 'id'
  | 'workspace'
  | 'webhook_id'
  | 'event_id'
  | 'event_type'
  | 'trigger'
  | 'lease_owner'
  | 'created_at'
  | 'body'
>;

/** Leases of an owner under which no attempt has begun, in the order of `seq`. */
export interface Unbegun {
  owner: string;
  now: number;
  leases: readonly { seq: number; token: number }[];
}

/** Counts of open deliveries. */
export interface QueueCounts {
  open: number;
  due: number;
  /** The time at which the first of those that are due became so; `null` for none. */
  first: number | null;
}

/** The body of a delivery: its own text, or the parts of its event. */
export interface StoredBody {
  body: string | null;
  body_bytes: number | null;
  event_id: IdBytes | null;
  integration_id: IdBytes | null;
  occurred_at: number | null;
  // The following columns are the event's, if there is one.
  created_at: number;
  type: string;
  source: string;
  provider: string | null;
  summary: string;
  payload: string | null;
  payload_bytes: number;
}

/** Tables whose rows grow with the events of a workspace, or with its changes. */
export type NumberedTable =
  | 'events'
  | 'deliveries'
  | 'automation_runs'
  | 'notification_messages'
  | 'audit_log';

/**
 * The statements that each database runs in its own way. SQLite's driver returns at once, so many small statements cost less than a large
 * one. PostgreSQL is a round trip away, and runs one statement for everybody who asks at the same time.
 */
export interface Statements {
  /** Inserts an event unless its integration already has one with the same dedupe key. Returns whether it was inserted. */
  insertEvent(tx: Tx, row: EventInsert): Awaitable<boolean>;

  /** The outcome that a key has, if it is younger than `oldest`. */
  findOutcome(db: Db, wanted: { id: Buffer; oldest: number }): Awaitable<StoredOutcome | undefined>;
  /** Stores an outcome; `false` if the key has one. PostgreSQL waits for another transaction with the same key to end. */
  insertOutcome(tx: Tx, row: OutcomeInsert): Awaitable<boolean>;

  /** Stores a job; returns its `seq`. */
  insertLeasedJob(tx: Tx, job: JobInsert): Promise<number>;

  /**
   * Takes the lease if nobody has it, or if the last one has run out. `false` if another process has it, or the integration is gone. SQLite
   * stores none: it has one process.
   */
  takeRefreshLease(tx: Tx, lease: RefreshLease, now: number): Promise<boolean>;
  /** Ends a lease, unless it has ended and another process has taken the next one. */
  endRefreshLease(tx: Tx, lease: RefreshLease): Promise<void>;

  /** Stores deliveries; returns the `seq` of each. */
  insertDeliveries(tx: Tx, rows: readonly DeliveryInsert[]): Awaitable<number[]>;
  findBody(db: Db, delivery: number): Awaitable<StoredBody | undefined>;
  /**
   * Locks deliveries in the order of `seq`. All code that changes several does so: units with different
   * orders would deadlock.
   */
  lockDeliveries(tx: Tx, which: RawBuilder<boolean>): Promise<void>;

  /** Leases due deliveries, those that have been due longest first. */
  claimDeliveries(tx: Tx, part: QueuePart, claim: WebhookClaim): Promise<DeliveryColumns[]>;
  /** Ends leases that are still held; returns their `seq`. */
  recordResults(tx: Tx, results: readonly StoredResult[]): Promise<Set<number>>;
  /** Returns leased deliveries whose attempts have not begun: they are due now. */
  releaseUnbegun(tx: Tx, unbegun: Unbegun): Promise<void>;
  /** The time at which the next delivery in a part of a webhook's queue is due, apart from those that the owner has; `null` for none. */
  nextDueAt(db: Db, part: QueuePart, next: NextDueQuery): Promise<number | null>;
  /** Counts the open deliveries of all webhooks. */
  countQueue(db: Db, now: number): Promise<QueueCounts>;

  /**
   * Deletes all rows of a table that meet a condition, of which there may be a million. SQLite yields to the event loop in between.
   */
  deleteMany(tx: Tx, table: NumberedTable, which: RawBuilder<boolean>): Promise<void>;

  /** The size of the database. */
  databaseBytes(db: Db): Promise<number>;

  /** The webhooks with these IDs that exist, of any workspace. */
  findWebhooks(db: Db, ids: readonly string[]): Promise<Row<'webhooks'>[]>;

  /** Adds counts to those that are stored. */
  addStats(tx: Tx, rows: readonly Row<'workspace_stats'>[]): Promise<void>;

  /** A value in a column of JSON, as text: a string without its quotes, a number with every digit; `null` where there is none. */
  valueAt(column: string, path: readonly (string | number)[]): RawBuilder<string | null>;
  /** Reports whether a text holds another, in upper or lower case; SQLite equates A to Z only. */
  contains(text: RawBuilder<unknown>, part: string): RawBuilder<SqlBool>;
  /**
   * A text as its bytes. SQLite returns them as they are stored: as a string they would take up to three
   * times as much memory.
   */
  bytesIn(column: string): RawBuilder<Buffer | string | null>;
  /** Reports whether a number is one of many: one text for any number of them, so that the statement is prepared once. */
  isOneOf(column: string, numbers: readonly number[]): RawBuilder<boolean>;
  /**
   * An ID as hexadecimal digits; `null` or an empty text for `null`. Buffers would take a third of the time
   * of a page of events (measured).
   */
  hexOf(column: string): RawBuilder<IdHex>;
}
