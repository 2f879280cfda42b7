import type { Generated, Kysely } from 'kysely';
import type {
  AttemptErrorKind,
  AutomationTriggerName,
  DISABLED_REASONS,
  RECOVERY_STATUSES,
  Role,
  RUN_STATUSES,
  STEP_STATUSES,
  Destination,
  MESSAGE_STATUSES,
  NotificationTrigger,
  Plan,
  Severity,
} from '@hubline/contract';
import type { StatsCount } from '../../domain/stats/tally.ts';
import type { IdBytes } from './columns/columns.ts';

export type RunStatus = (typeof RUN_STATUSES)[number];
export type StepStatus = (typeof STEP_STATUSES)[number];

// Rows that people create are stored in readable form: IDs, timestamps (ISO 8601, UTC, milliseconds) and JSON are text, flags are 0 and 1.
// Rows that every event creates are stored compactly: IDs as 16 bytes, times as milliseconds, states as numbers. Both
// dialects store the same. `seq` gives lists their order: the order of commits, which IDs only approximate.

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
  /** The logins of the dashboard. */
  sessions: {
    token_hash: string;
    user_id: string;
    created_at: string;
    expires_at: string;
  };
  workspaces: {
    /** Rows of dense tables refer to the workspace by this. */
    seq: Generated<number>;
    id: string;
    name: string;
    slug: string;
    plan: Plan;
    created_at: string;
    updated_at: string;
    /** The time of its deletion, while a job removes its rows; `null` if it exists. */
    deleted_at: string | null;
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
    /** The hash of the link that was only emailed; `null` on a server without email. */
    mailed_token_hash: string | null;
    created_by: string;
    created_at: string;
    expires_at: string;
  };
  api_keys: {
    id: string;
    /** The creator: the key acts with the creator's current role. */
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
  oauth_apps: {
    workspace_id: string;
    provider: string;
    /** Sealed JSON of the app. */
    app: string;
    updated_at: string;
  };
  /** Processes that refresh the token of an integration now. On PostgreSQL only. Times are milliseconds since the epoch. */
  refresh_leases: {
    integration_id: string;
    lease_until: number;
  };
  oauth_flows: {
    id: string;
    workspace_id: string;
    provider: string;
    /** The integration to connect again, then the one that was connected. */
    integration_id: string | null;
    /** Credential fields that are not secrets; JSON. */
    settings: string;
    /** The actor who started it; JSON. */
    starter: string;
    link_hash: string;
    /** `redeeming`: the code is being redeemed, which one request does. */
    status: 'pending' | 'redeeming' | 'connected' | 'failed';
    error: string | null;
    created_at: string;
    expires_at: string;
  };
  provider_definitions: {
    id: string;
    workspace_id: string;
    /** The key. It stays forever: integrations and events name it. */
    provider: string;
    /** JSON of the whole definition, with the key. */
    definition: string;
    created_at: string;
    updated_at: string;
  };
  integrations: {
    id: string;
    workspace_id: string;
    provider: string;
    name: string | null;
    /** The workspace's own definition of the provider; `null`: the provider is built in. */
    definition_id: string | null;
    /** It never goes back to `disconnected`. `error` is not stored: it is a `problem`. */
    status: 'connected' | 'disconnected';
    /** The provider's refusal, or the fault of the credentials; JSON. */
    problem: string | null;
    config: string;
    /** Sealed JSON of the credentials. */
    credentials: string;
    /** The webhook that was registered at the provider, as the provider names it; JSON. */
    hook: string | null;
    /** The reason why the provider did not register one. */
    hook_refusal: string | null;
    /** The first authentic call since its webhook and secret last changed. */
    verified_at: string | null;
    /** A call that was refused while none was authentic, at most one a minute; JSON. */
    refused_call: string | null;
    connected_at: string;
    last_synced_at: string | null;
    /** The last event that came from it, as the API shows it; JSON. */
    last_event: string | null;
    /** The sync that was begun last, and its position; JSON. See `stored-sync.ts`. */
    catch_up: string | null;
    updated_at: string;
  };
  automations: {
    id: string;
    workspace_id: string;
    name: string;
    description: string | null;
    enabled: number;
    /** Grows with every change of name, actions or responsible user. */
    version: number;
    /** JSON, like conditions, actions and throttle. */
    trigger: string;
    conditions: string | null;
    actions: string;
    throttle: string | null;
    concurrency_key: string | null;
    /** Sealed. */
    secret: string | null;
    /** The next time of its schedule. */
    next_run_at: string | null;
    /** The ID of the user who is responsible for its actions: whoever saved them or enabled it last. */
    answers: string;
    created_by: string;
    created_at: string;
    updated_at: string;
  };
  /** The name and actions that runs began with, and the user responsible for them. `id`: the automation's, a dot, and the version. */
  automation_versions: { id: string; automation_id: string; name: string; actions: string; answers: string };
  /** Grows with events, as the steps do: times are milliseconds. */
  automation_runs: {
    seq: Generated<number>;
    id: string;
    workspace_id: string;
    automation_id: string;
    version: number;
    trigger: AutomationTriggerName;
    /** The event, or the time of a schedule: no second run is started for it. `null` for a start by hand. */
    once_key: string | null;
    event_id: string | null;
    /** JSON: the content of another trigger than an event. */
    data: string | null;
    /** The number of automations in a row that led to it. */
    depth: number;
    /** The number of events that each of its `create_event` actions may lead to, its own included. */
    allowance: number;
    /** The rendered concurrency key. */
    concurrency: string | null;
    status: RunStatus;
    error: string | null;
    created_at: number;
    started_at: number | null;
    resume_at: number | null;
    completed_at: number | null;
  };
  automation_steps: {
    /** `seq` of the run. */
    run: number;
    position: number;
    status: StepStatus;
    attempt: number;
    started_at: number | null;
    /** The end of a wait, or the next attempt. */
    due_at: number | null;
    completed_at: number | null;
    /** JSON, cut short; like `response`. */
    request: string | null;
    response: string | null;
    /** JSON: the values that later steps may name. */
    output: string | null;
    error: string | null;
  };
  /** Dense, as all tables that grow with every event: `columns.ts`. */
  events: {
    seq: Generated<number>;
    id: IdBytes;
    /** `seq` of the workspace. */
    workspace: number;
    integration_id: IdBytes | null;
    /** `null`: at `created_at`. */
    occurred_at: number | null;
    created_at: number;
    type: string;
    source: string;
    /** The provider of the integration, which may be deleted while the event is kept. */
    provider: string | null;
    dedupe_key: string | null;
    /** JSON: `summary-column.ts`. */
    summary: string;
    /**
     * The provider's JSON, byte for byte. It is the last column, because SQLite reads past the columns before the
     * one it wants.
     */
    payload: string;
  };
  webhooks: {
    id: string;
    workspace_id: string;
    name: string | null;
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
    /** The most calls in a second; `null` for no limit. */
    rate_per_second: number | null;
    /** The first failed attempt since the last one that succeeded; `null` while it works. */
    failing_since: string | null;
    /** 1 once owners and admins have been notified of it. The column keeps its older name. */
    failing_told: number;
    disabled_reason: (typeof DISABLED_REASONS)[number] | null;
    disabled_at: string | null;
    created_at: string;
    updated_at: string;
  };
  /** The used parts of the rate limits of webhooks. The table keeps its older name. */
  webhook_pace: {
    webhook_id: string;
    /** Milliseconds since the epoch, with fractions; `null`: nothing is used. */
    used_until: number | null;
  };
  /** The last failed attempt of each webhook that has had one. */
  webhook_failures: {
    webhook_id: string;
    at: string;
    response_status: number | null;
    error_kind: AttemptErrorKind | null;
    duration_ms: number;
  };
  /** Dense. */
  deliveries: {
    seq: Generated<number>;
    id: IdBytes;
    /** `seq` of the workspace. */
    workspace: number;
    webhook_id: IdBytes;
    event_id: IdBytes | null;
    /** A code of `TRIGGER`. */
    event_type: number;
    /** A code of `STATUS`. */
    status: number;
    /** A code of `DELIVERY_CAUSE`. */
    trigger: number;
    /** All attempts, as the API shows them. */
    attempt_count: number;
    /** The attempts of the schedule, without extra ones: they alone decide the next delay. */
    scheduled_count: number;
    next_attempt_at: number | null;
    /** An extra attempt has been requested: 1 by hand, 2 by a recovery. Afterward the schedule continues where it was. */
    manual: 0 | 1 | 2;
    /**
     * The time from which a process may claim it: that of the next attempt, or the end of the lease of the one that has it. `null`:
     * never.
     */
    due_at: number | null;
    lease_owner: string | null;
    /** The fencing token: it goes up with every claim, and a result with an older one is dropped. */
    lease_token: number;
    /** Attempts that a crash cut off. They do not count, but after three of them the next one fails. */
    interruptions: number;
    created_at: number;
    completed_at: number | null;
    // The last attempt; all `null` before the first has ended. Most deliveries have one attempt, which is stored nowhere else.
    last_id: IdBytes | null;
    last_trigger: number | null;
    last_at: number | null;
    last_duration_ms: number | null;
    last_status: number | null;
    /** A code of `ERROR_KIND`. */
    last_error_kind: number | null;
    last_error_message: string | null;
    last_headers: string | null;
    last_body: string | null;
    /** The bytes that every attempt sends; `null` if they are derived from the event (domain/events/envelope.ts). */
    body: string | null;
  };
  /** The attempts of a delivery before the last. Dense. */
  attempts: {
    /** `seq` of the delivery. */
    delivery: number;
    attempt: number;
    id: IdBytes;
    trigger: number;
    started_at: number;
    duration_ms: number;
    response_status: number | null;
    error_kind: number | null;
    error_message: string | null;
    response_headers: string | null;
    response_body: string | null;
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
    /** `seq` of the delivery after which it looks for its webhooks. */
    position: number;
    created_at: string;
    completed_at: string | null;
    /** The last delivery that matches; `null` while none is known to. */
    last_seq: number | null;
    /** The webhook that the last step came to; `null`: the next step begins with the first. */
    last_webhook_id: string | null;
  };
  /** The webhooks of recoveries under way that still have deliveries to look at. */
  recovery_webhooks: {
    recovery_id: string;
    webhook_id: string;
    /** `seq` of the last delivery of this webhook that was handled. */
    position: number;
  };
  /** Background work that is not done yet; a job that is done has no row. Times are milliseconds since the epoch. */
  jobs: {
    seq: Generated<number>;
    kind: string;
    /** The subject of the job. Only one job of each kind is stored for a key. */
    key: string;
    /** JSON; sealed, where it may hold a secret. */
    payload: string;
    /** The time from which it may be claimed: its own, or the end of the lease of the process that has it. */
    due_at: number;
    lease_owner: string | null;
    /** Counts up with every claim: the fencing token. */
    lease_token: number;
    /** The number of times that it has begun since it last made progress. */
    attempts: number;
    last_error: string | null;
    created_at: number;
    /** The time at which its last attempt failed; `null` while it is open. */
    failed_at: number | null;
  };
  /**
   * Counts of what happened in a workspace, in buckets: of a webhook, and, where `webhook_id` is empty, of the whole workspace.
   * Every count of a bucket is stored once for each resolution.
   */
  workspace_stats: {
    /** The length of the bucket, in seconds. */
    resolution: number;
    /** The beginning of the bucket. */
    at: string;
    workspace_id: string;
    webhook_id: string;
  } & Record<StatsCount, number>;
  /** Counts that are stored in the transaction of what they count, until they are added to the buckets. */
  stats_tallies: {
    seq: Generated<number>;
    /** The text of a `Tally`. */
    counts: string;
  };
  /** Counts by name, in the same buckets: events by source, and, where there is a `webhook_id`, its failed attempts by cause. */
  stats_groups: {
    resolution: number;
    at: string;
    workspace_id: string;
    webhook_id: string;
    /** A source, such as `github`; or a cause: a status, such as `503`, or a kind of error. */
    name: string;
    count: number;
    /** The times at which the first of them was counted, and the last. */
    first_at: string;
    last_at: string;
    /** The message of the last one; `null` for none. */
    message: string | null;
  };
  /** Dense. */
  idempotency_keys: {
    seq: Generated<number>;
    /** 128 bits of the hash of the user, the workspace and the key. */
    id: Buffer;
    /** 128 bits. */
    fingerprint: Buffer;
    status: number;
    created_at: number;
    /** The event that the request published, from which its response is made again: `body` is `null` then. */
    event_id: IdBytes | null;
    /** The response body; sealed when it shows a secret. */
    body: string | null;
  };
  notification_templates: {
    id: string;
    workspace_id: string;
    /** The number of the current version. */
    version: number;
    created_at: string;
  };
  notification_template_versions: {
    template_id: string;
    version: number;
    name: string;
    subject: string | null;
    /** JSON of the forms. */
    body: string;
    sample_event_type: string | null;
    created_by: string | null;
    created_at: string;
  };
  notification_rules: {
    id: string;
    workspace_id: string;
    name: string;
    enabled: number;
    template_id: string | null;
    /** JSON of everything else. */
    settings: string;
    created_by: string | null;
    created_at: string;
    updated_at: string;
  };
  /** The notification log: one message to one destination. Times are milliseconds since the epoch. */
  notification_messages: {
    seq: Generated<number>;
    id: string;
    workspace_id: string;
    /** The ID of the rule, or of the integration whose settings it is; `owners` for messages that owners and admins always get. */
    rule: string;
    /** The event, or a separate ID. A rule reports an occurrence to a destination once. */
    occurrence: string;
    trigger: NotificationTrigger;
    event_id: string | null;
    kind: DestinationKind;
    /** JSON. */
    destination: string;
    /** The destination, for people. */
    recipient: string;
    /** JSON of the rendered text. */
    content: string;
    status: (typeof MESSAGE_STATUSES)[number];
    reason: string | null;
    attempts: number;
    digest_key: string | null;
    dedupe_key: string | null;
    /** The end of its digest, while it is collected. */
    next_attempt_at: number | null;
    created_at: number;
    completed_at: number | null;
  };
  /** In-app notifications. Times are milliseconds since the epoch. */
  notifications: {
    seq: Generated<number>;
    id: string;
    user_id: string;
    workspace_id: string;
    rule_id: string | null;
    trigger: NotificationTrigger;
    event_id: string | null;
    resource_id: string | null;
    severity: Severity;
    title: string;
    text: string;
    read_at: number | null;
    created_at: number;
  };
  /** Members who have unsubscribed from the emails of a rule. */
  unsubscribed: {
    workspace_id: string;
    user_id: string;
    rule: string;
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

/** The kind of a destination of notifications. */
export type DestinationKind = Destination['kind'];

/** A handle for reading. */
export type Db = Kysely<Database>;

declare const inTransaction: unique symbol;

/** A handle inside a unit of `Store.write`. Functions that change rows ask for it, so that they cannot be called outside. */
export type Tx = Db & { readonly [inTransaction]: true };
