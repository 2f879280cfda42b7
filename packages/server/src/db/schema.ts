import type { Generated, Kysely } from 'kysely';
import type {
  ATTEMPT_ERROR_KINDS,
  DELIVERY_STATUSES,
  DELIVERY_TRIGGERS,
  DISABLED_REASONS,
  RECOVERY_STATUSES,
  Role,
} from '@hubline/contract';

// Ids, timestamps (ISO 8601, UTC, milliseconds) and JSON are TEXT in both dialects, flags are 0 and 1: one schema, and
// rows that look the same everywhere. `seq` gives lists their order: the order of commits, which ids only approximate.

export interface Database {
  meta: { key: string; value: string };
  users: {
    id: string;
    email: string;
    /** scrypt, for the dashboard; `null` until the user has chosen a password. */
    password_hash: string | null;
    /** The time at which the holder of the account used a mailed link, or the operator vouched for the address. */
    mailbox_proved_at: string | null;
    created_at: string;
    updated_at: string;
  };
  /** The log-ins of the dashboard. */
  sessions: {
    token_hash: string;
    user_id: string;
    created_at: string;
    expires_at: string;
  };
  workspaces: {
    id: string;
    name: string;
    slug: string;
    plan: 'free' | 'team' | 'enterprise';
    created_at: string;
    updated_at: string;
  };
  members: {
    workspace_id: string;
    user_id: string;
    role: Role;
    status: 'active' | 'invited';
    invited_at: string | null;
    joined_at: string | null;
    updated_at: string;
  };
  invitations: {
    id: string;
    workspace_id: string;
    user_id: string;
    /** The hash of the link that the inviter saw. */
    token_hash: string;
    /** The hash of the link that was only mailed; `null` on a server without mail. */
    mailed_token_hash: string | null;
    created_by: string;
    created_at: string;
    expires_at: string;
  };
  api_keys: {
    id: string;
    /** The maker: the key acts with the maker's current role. */
    user_id: string;
    /** `null` for a personal key. */
    workspace_id: string | null;
    name: string;
    prefix: string;
    hash: string;
    /** The hash before the last rotation, valid until `previous_until`. */
    previous_hash: string | null;
    previous_until: string | null;
    scopes: string;
    role: Role | null;
    created_at: string;
    expires_at: string | null;
    revoked_at: string | null;
    last_used_at: string | null;
  };
  integrations: {
    id: string;
    workspace_id: string;
    provider: string;
    /** It never goes back to `disconnected`. `error` is not stored: it is a `problem`. */
    status: 'connected' | 'disconnected';
    /** What the provider refused, or what is wrong with the credentials; JSON. */
    problem: string | null;
    config: string;
    /** Sealed JSON of the credentials. */
    credentials: string;
    /** How the provider knows the webhook that was registered there; JSON. */
    hook: string | null;
    /** Why the provider did not register one. */
    hook_refusal: string | null;
    /** The first authentic call since its webhook and secret last changed. */
    verified_at: string | null;
    connected_at: string;
    last_synced_at: string | null;
    updated_at: string;
  };
  events: {
    seq: Generated<number>;
    id: string;
    workspace_id: string;
    integration_id: string | null;
    type: string;
    source: string;
    /** The provider's JSON, byte for byte. */
    payload: string;
    summary: string;
    dedupe_key: string | null;
    occurred_at: string;
    created_at: string;
  };
  webhooks: {
    id: string;
    workspace_id: string;
    url: string;
    events: string;
    filters: string | null;
    description: string | null;
    status: 'active' | 'disabled';
    /** Sealed. */
    secret: string;
    /** Sealed; still signs until `previous_until`. */
    previous_secret: string | null;
    previous_until: string | null;
    /** How fast it may be called; `null` for no limit. */
    rate_per_second: number | null;
    /** How far its rate limit is used up: milliseconds since the epoch, with fractions. `null`: not at all. */
    paced_until: number | null;
    /** The first failed attempt since the last one that succeeded; `null` while it works. */
    failing_since: string | null;
    disabled_reason: (typeof DISABLED_REASONS)[number] | null;
    disabled_at: string | null;
    created_at: string;
    updated_at: string;
  };
  /** The last failed attempt of each webhook that has had one. */
  webhook_failures: {
    webhook_id: string;
    at: string;
    response_status: number | null;
    error_kind: (typeof ATTEMPT_ERROR_KINDS)[number] | null;
    duration_ms: number;
  };
  deliveries: {
    seq: Generated<number>;
    id: string;
    workspace_id: string;
    webhook_id: string;
    event_id: string | null;
    event_type: string;
    status: (typeof DELIVERY_STATUSES)[number];
    trigger: (typeof DELIVERY_TRIGGERS)[number];
    /** All attempts, as the API shows them. */
    attempt_count: number;
    /** The attempts of the schedule, without manual ones: they alone decide the next delay. */
    scheduled_count: number;
    next_attempt_at: string | null;
    /** An extra attempt is wanted now: 1 by hand, 2 by a recovery. Afterwards the schedule goes on where it was. */
    manual: 0 | 1 | 2;
    /** When a worker may take it: the next attempt, or the end of the lease of the one that has it. `null`: never. */
    due_at: string | null;
    lease_owner: string | null;
    /** Fencing: counts up with every claim; a result that names an older one is dropped. */
    lease_token: number;
    /** Attempts that a crash cut off. They do not count, at most three times. */
    interruptions: number;
    created_at: string;
    completed_at: string | null;
    /** The last attempt; all `null` before the first has ended. */
    last_at: string | null;
    last_status: number | null;
    last_error_kind: (typeof ATTEMPT_ERROR_KINDS)[number] | null;
    last_duration_ms: number | null;
  };
  delivery_bodies: {
    /** Of the delivery. */
    seq: number;
    /** The frozen bytes that every attempt sends. */
    body: string;
    /** Where it is not `null`, `body` ends before the payload of the event, and this follows it. */
    after_payload: string | null;
  };
  attempts: {
    id: string;
    delivery_id: string;
    attempt: number;
    trigger: (typeof DELIVERY_TRIGGERS)[number];
    started_at: string;
    duration_ms: number;
    response_status: number | null;
    response_headers: string | null;
    response_body: string | null;
    error_kind: (typeof ATTEMPT_ERROR_KINDS)[number] | null;
    error_message: string | null;
  };
  recoveries: {
    id: string;
    workspace_id: string;
    /** `null`: all webhooks of the workspace. */
    webhook_id: string | null;
    status: (typeof RECOVERY_STATUSES)[number];
    filters: string;
    matched: number;
    done: number;
    /** `seq` of the last delivery that was dealt with. */
    position: number;
    created_at: string;
    completed_at: string | null;
  };
  /** Background work that is not done yet; what is done has no row. Times are milliseconds since the epoch. */
  jobs: {
    seq: Generated<number>;
    kind: string;
    /** Of two jobs of a kind with the same key, only one is stored. */
    key: string;
    /** JSON; sealed, where it may hold a secret. */
    payload: string;
    /** When it may be claimed: its time, or the end of the lease of the process that has it. */
    due_at: number;
    lease_owner: string | null;
    /** Counts up with every claim: the fencing token. */
    lease_token: number;
    /** How often it has been begun since it last got further. */
    attempts: number;
    last_error: string | null;
    created_at: number;
    /** When its last try failed; `null` while it is open. */
    failed_at: number | null;
  };
  /**
   * What happened in a workspace, counted in buckets: of a webhook, and, where `webhook_id` is empty, of the whole workspace.
   * Every count of a bucket is stored once for each resolution.
   */
  workspace_stats: {
    /** How long the bucket is, in seconds. */
    resolution: number;
    /** Where it begins. */
    at: string;
    workspace_id: string;
    webhook_id: string;
  } & Record<StatsCount, number>;
  idempotency_keys: {
    seq: Generated<number>;
    /** The hash of who used which key. */
    id: string;
    fingerprint: string;
    status: number;
    /** The response body; sealed when it shows a secret. */
    body: string;
    /** What was made, where showing it again gives the response: `body` is empty then. */
    result_id: string | null;
    created_at: string;
  };
  audit_log: {
    seq: Generated<number>;
    id: string;
    workspace_id: string;
    action: string;
    actor_id: string | null;
    actor: string;
    /** The first target, for the filter. */
    target_id: string | null;
    targets: string;
    changes: string;
    context: string;
    metadata: string;
    created_at: string;
  };
}

/** What statistics count. `latency_n` counts the attempts in step n of the histogram. */
export type StatsCount =
  | 'events'
  | 'attempts_succeeded'
  | 'attempts_failed'
  | 'deliveries_delivered'
  | 'deliveries_failed'
  | `latency_${number}`;

/** A handle for reading. */
export type Db = Kysely<Database>;

declare const inTransaction: unique symbol;

/** A handle inside a unit of `Store.write`. Functions that change rows ask for it, so that they cannot be called outside. */
export type Tx = Db & { readonly [inTransaction]: true };
