/** The triggers that `*` includes. Specification, "Trigger and subscription names" 5. */
export const COMMON_TRIGGERS = [
  'event.created',
  'automation.completed',
  'integration.connected',
  'user.invited',
] as const;

/** Problems of the hub itself. Owners and admins are notified of them, and rules can name them. `*` does not include them. */
export const OPERATIONAL_TRIGGERS = [
  'webhook.failing',
  'webhook.disabled',
  'integration.error',
  'automation.disabled',
] as const;

/** The triggers that a notification rule can name. */
export const NOTIFICATION_TRIGGERS = [...COMMON_TRIGGERS, ...OPERATIONAL_TRIGGERS] as const;

/** A trigger that people can be notified of. */
export type NotificationTrigger = (typeof NOTIFICATION_TRIGGERS)[number];

/**
 * Triggers that a webhook gets only if it names them: problems of the hub, and `notification.sent`, for the messages of
 * rules that have the webhook as a destination.
 */
export const NAMED_TRIGGERS = [...OPERATIONAL_TRIGGERS, 'notification.sent'] as const;

/** The triggers that a webhook can subscribe to. Specification, "Trigger and subscription names" 1 to 10. */
export const TRIGGERS = [...COMMON_TRIGGERS, ...NAMED_TRIGGERS] as const;

/** A trigger: the `type` of an envelope, and the `event_type` of a delivery. */
export type Trigger = (typeof TRIGGERS)[number];

/** Statuses of a message in the notification log. */
export const MESSAGE_STATUSES = ['pending', 'held', 'collecting', 'sent', 'failed', 'suppressed'] as const;

/** Severities of an event, the most urgent first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'none'] as const;

/** The urgency of an event. */
export type Severity = (typeof SEVERITIES)[number];

/** Statuses of a delivery. Specification, "States and transitions" 7 to 9; `pending`, `held` and `cancelled` are ours. */
export const DELIVERY_STATUSES = ['pending', 'retrying', 'delivered', 'failed', 'held', 'cancelled'] as const;

/** A status of a delivery. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Causes of a delivery or of an attempt. */
export const DELIVERY_CAUSES = ['event', 'manual', 'test', 'recovery'] as const;

/** A cause of a delivery or of an attempt. */
export type DeliveryCause = (typeof DELIVERY_CAUSES)[number];

/** Errors of an attempt. All but `redirect` mean that there was no response. */
export const ATTEMPT_ERROR_KINDS = [
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'redirect',
  'blocked',
  'protocol',
] as const;

/** A kind of error of an attempt. */
export type AttemptErrorKind = (typeof ATTEMPT_ERROR_KINDS)[number];

/** Deliveries that a recovery can send again: their attempts are over, or they wait for a retry. */
export const RECOVERABLE_STATUSES = ['failed', 'retrying', 'delivered'] as const;

/** Statuses of a recovery. */
export const RECOVERY_STATUSES = ['queued', 'running', 'done', 'cancelled'] as const;

/** Reasons for which a webhook is disabled. */
export const DISABLED_REASONS = ['manual', 'failing', 'gone', 'secret_unreadable'] as const;

/** The sentence about a webhook that was disabled because it is `gone`. */
export const GONE_MESSAGE = 'It responded with 410 Gone, which means that it no longer accepts calls.';

/** Billing plans. Specification, "Workspace". */
export const PLANS = ['free', 'team', 'enterprise'] as const;

/** A billing plan. */
export type Plan = (typeof PLANS)[number];

/** The characters of a workspace slug. Specification, "Workspace". */
export const SLUG_PATTERN = '^[a-z0-9-]+$';

/** The buckets of a window of statistics. */
interface StatsWindow {
  /** Length of a bucket, in seconds. */
  readonly bucketSeconds: number;
  readonly buckets: number;
}

/** The windows of statistics. A window ends now, so its last bucket is still open. */
export const STATS_WINDOWS = {
  '1h': { bucketSeconds: 60, buckets: 60 },
  '24h': { bucketSeconds: 15 * 60, buckets: 96 },
  '7d': { bucketSeconds: 60 * 60, buckets: 168 },
} as const satisfies Record<string, StatsWindow>;

/** The ways in which calls of a custom integration are verified. */
export const CUSTOM_VERIFICATIONS = ['hmac', 'token', 'none'] as const;

/** The way in which calls of a custom integration are verified. */
export type CustomVerification = (typeof CUSTOM_VERIFICATIONS)[number];

/** Sets of rules for custom integrations, by the tools that use them. */
export const CUSTOM_PRESETS = [
  'standard-webhooks',
  'github-style',
  'slack-style',
  'shared-token',
  'none',
] as const;

/** A set of rules that a custom integration can begin with. */
export type CustomPreset = (typeof CUSTOM_PRESETS)[number];

/** Comparisons of a condition. */
export const CONDITION_OPERATORS = [
  'eq',
  'ne',
  'in',
  'not_in',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'gt',
  'gte',
  'lt',
  'lte',
  'exists',
  'not_exists',
  'matches',
] as const;

/** A comparison of a condition. */
export type ConditionOperator = (typeof CONDITION_OPERATORS)[number];

/** Triggers of an automation: those that `*` includes, except `automation.completed`; a schedule; a manual start. */
export const AUTOMATION_TRIGGERS = [
  'event.created',
  'integration.connected',
  'user.invited',
  'schedule',
  'manual',
] as const;

/** Something that starts an automation. */
export type AutomationTriggerName = (typeof AUTOMATION_TRIGGERS)[number];

/** Actions of an automation that a provider offers. */
export const VENDOR_ACTIONS = [
  'github.create_issue',
  'github.comment',
  'linear.create_issue',
  'jira.create_issue',
  'slack.post_message',
  'notion.append',
] as const;

/** An action of a connected tool. */
export type VendorActionName = (typeof VENDOR_ACTIONS)[number];

/** Statuses of a run of an automation. */
export const RUN_STATUSES = [
  'queued',
  'running',
  'waiting',
  'succeeded',
  'failed',
  'skipped',
  'cancelled',
] as const;

/** Statuses of a step of a run. */
export const STEP_STATUSES = ['waiting', 'retrying', 'succeeded', 'failed', 'skipped'] as const;
