import type { Budgets, Reservation } from './limits/byte-budget.ts';
import type { CallReader } from './providers/calls/call-reader.ts';
import type { Credentials, Provider } from './providers/provider.ts';
import type { ServerConfig } from './config/config.ts';
import type { JobRow, NewJobLease, StoredKindName } from './db/jobs.ts';
import type { Awaitable } from './db/core/awaitable.ts';
import type { Tx } from './db/core/schema.ts';
import type { Store } from './db/core/store.ts';
import type { Access, Actor } from './domain/identity/actor.ts';
import type { Counted } from './domain/stats/tally.ts';
import type { Ids } from './ids.ts';
import type { DueWebhook, LeasedDelivery, NewLease, Prefetch } from './delivery/delivery-store.ts';
import type { Logger } from './log/log.ts';
import type { Mailer } from './mail.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { ProviderHttp } from './outbound/provider-http.ts';
import type { Passwords } from './secrets/passwords.ts';
import type { ServerInfo } from './system/server-info.ts';
import type { Vault } from './secrets/vault.ts';

/** Counts for the statistics of workspaces, in the same transaction as the change that is counted. */
export interface Stats {
  count(tx: Tx, context: WorkContext, counted: readonly Counted[]): Awaitable<void>;
}

/** The port of the services to the delivery engine. Its functions need no `this`. */
export interface EnginePort {
  /** Wakes the engine: deliveries of these webhooks became due. Call it after the commit. */
  readonly wake: (webhooks: readonly DueWebhook[]) => void;
  /** Says which new deliveries this process takes into its prefetch buffer now, and with which lease to store them. */
  readonly prefetch: () => Prefetch;
  /** Hands over deliveries that were stored with the lease of `prefetch`; call it after the commit. */
  readonly offer: (deliveries: readonly LeasedDelivery[], lease: NewLease) => void;
}

/** The port of the services to the job runner. Its functions need no `this`. */
export interface JobsPort {
  /** Wakes the runner: a job was enqueued. Call it after the commit. */
  readonly wake: () => void;
  /** The due time for a new job of a workspace that keeps the order fair: now or in the past, in milliseconds since the epoch. */
  readonly fairDueAt: (kind: StoredKindName, workspaceId: string, now: number) => number;
  /**
   * The lease to store with a new job of this kind, so that this process starts it at once; `null` if it is to be
   * claimed like any other.
   */
  readonly leaseFor: (kind: StoredKindName) => NewJobLease | null;
  /** Hands over a job that was stored with that lease; call it after the commit. */
  readonly offer: (job: JobRow) => void;
}

/**
 * The dependencies of services: time, randomness, storage, network and the parts of the server. Made once, in
 * `server.ts`.
 */
export interface Deps {
  readonly store: Store;
  readonly clock: () => Date;
  readonly ids: Ids;
  readonly log: Logger;
  readonly vault: Vault;
  readonly mail: Mailer;
  readonly passwords: Passwords;
  readonly metrics: Metrics;
  readonly stats: Stats;
  readonly providerHttp: ProviderHttp;
  readonly budgets: Budgets;
  /** The refreshes of OAuth tokens under way in this process, by the ID of the integration. */
  readonly refreshes: Map<string, Promise<Credentials>>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly calls: CallReader;
  readonly config: ServerConfig;
  readonly serverInfo: ServerInfo;
  /** The URL at which the server is reached from outside, without a trailing slash. */
  readonly publicUrl: () => string;
  readonly engine: EnginePort;
  readonly jobs: JobsPort;
  /**
   * Wakes the streams of a workspace or a user: there are new events, or somebody may no longer see them, or the workspaces or roles of
   * a user have changed. Call it after the commit.
   */
  readonly announce: (id: string) => void;
}

/** Cursors of one list: they open only for the endpoint, the workspace and the filters that they were made for. */
export interface Cursors {
  seal(position: string): string;
  /** Throws `invalid_request` for anything that `seal` did not make for this list. */
  open(cursor: string): string;
}

/**
 * The context of a request, or of work that the server does by itself. Services that both use take it as their first
 * argument.
 */
export interface WorkContext extends Deps {
  /** The time, the same throughout the work. */
  readonly now: Date;
  /**
   * The way to write. For a request it is `Store.write` with its `Idempotency-Key` recorded in the same transaction: a service
   * calls it once, and returns what the unit returned.
   */
  readonly write: Store['write'];
  /**
   * Runs `effect`, such as a wake-up, after the commit; not on a replay and not after a refusal. Call it inside the unit. The
   * write neither waits for it nor fails with it: a failure is logged under the name `what`.
   */
  readonly afterCommit: (what: string, effect: () => void | Promise<void>) => void;
  /** The request, for the audit log. Absent when the server acts by itself. */
  readonly requestId?: string;
  readonly ip?: string | null;
  readonly userAgent?: string | null;
}

/**
 * The context of a request: the parts of the server and the facts of the request. Services take it as their first
 * argument.
 */
export interface Context extends WorkContext {
  readonly requestId: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly cursors: Cursors;
  /** The body as received, for fields that must be stored unchanged; empty without a body. */
  readonly bodyText: string;
  /**
   * Reserves memory for the response until it is sent. If there is none, waits briefly, then throws
   * `service_unavailable`. Called once per request.
   */
  readonly reserveResponse: (bytes: number) => Promise<Reservation>;
}

/** A request that may come without a login: a token in its body proves who sends it. */
export interface OptionalContext extends Context {
  readonly actor: Actor | null;
}

/** A request of a known user. */
export interface UserContext extends Context {
  readonly actor: Actor;
}

/** A request in a workspace, by a user who is allowed to make it. */
export interface WorkspaceContext extends UserContext {
  readonly access: Access;
}
