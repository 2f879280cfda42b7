/**
 * The Hubline API as data: zod schemas, the endpoints table, roles and scopes, error codes, limits, header names and
 * the OpenAPI document. The server binds handlers to it; the SDK takes its types from `@hubline/contract/types`.
 *
 * @packageDocumentation
 */
export {
  type AccessRule,
  type Endpoint,
  type FurtherScope,
  needsFurther,
  type WorkspaceSource,
} from './endpoint.ts';
export {
  type EndpointInput,
  type EndpointName,
  type EndpointOutput,
  type Endpoints,
  endpoints,
} from './endpoints/index.ts';
export {
  API_KEY_PATTERN,
  ATTEMPT_ERROR_KINDS,
  type AttemptErrorKind,
  AUTOMATION_TRIGGERS,
  type AutomationTriggerName,
  CONDITION_OPERATORS,
  type ConditionOperator,
  CUSTOM_PRESETS,
  CUSTOM_VERIFICATIONS,
  type CustomPreset,
  type CustomVerification,
  DELIVERY_HEADERS,
  DELIVERY_STATUSES,
  DELIVERY_CAUSES,
  type DeliveryCause,
  type DeliveryStatus,
  DISABLED_REASONS,
  ERROR_CODES,
  ERROR_STATUS,
  type ErrorCode,
  GONE_MESSAGE,
  type GrantedScope,
  HEADERS,
  ID_ALPHABET,
  ID_PREFIXES,
  type IdKind,
  idPattern,
  isId,
  JOB_KINDS,
  JOB_STATES,
  type JobKindName,
  LIMITS,
  MESSAGE_STATUSES,
  type NotificationTrigger,
  NAMED_TRIGGERS,
  NOTIFICATION_TRIGGERS,
  OPERATIONAL_TRIGGERS,
  outranks,
  type Permission,
  PERMISSIONS,
  type Plan,
  PLANS,
  RECOVERABLE_STATUSES,
  RECOVERY_STATUSES,
  type Role,
  roleAllows,
  ROLES,
  type Scope,
  SCOPES,
  scopesAllow,
  scopesCover,
  RUN_STATUSES,
  SEVERITIES,
  type Severity,
  SLUG_PATTERN,
  STATS_WINDOWS,
  STEP_STATUSES,
  type Trigger,
  TRIGGERS,
  VENDOR_ACTIONS,
  type VendorActionName,
  weakerRole,
} from './constants/index.ts';
export { type Deprecation, deprecationHeaders } from './deprecation.ts';
export { isTimestamp } from './text.ts';
export { ApiKey } from './schemas/api-keys.ts';
export { AuditEntry } from './schemas/audit-log.ts';
export { Automation } from './schemas/automations/automations.ts';
export { AutomationRun, AutomationRunDetail } from './schemas/automations/automation-runs.ts';
export type { Condition, ConditionVerdict } from './schemas/automations/conditions.ts';
export { CREDENTIALS, type ProviderKey } from './schemas/integrations/credentials/index.ts';
export { DefinedCredentials } from './schemas/integrations/credentials/defined.ts';
export { Attempt, Delivery, DeliveryDetail } from './schemas/webhooks/deliveries.ts';
export { MALFORMED_ID } from './schemas/common.ts';
export { ErrorBody, FlatErrorBody } from './schemas/errors.ts';
export { Event, EventSummary, ListedEvent } from './schemas/events.ts';
export { Integration, IntegrationConfig } from './schemas/integrations/integrations.ts';
export { Provider } from './schemas/integrations/providers.ts';
export { Notification } from './schemas/notifications/notifications.ts';
export {
  type Destination,
  NotificationRule,
  RuleTestResult,
} from './schemas/notifications/notification-rules.ts';
export { LoggedMessage } from './schemas/notifications/notification-log.ts';
export {
  NotificationTemplate,
  RenderedTemplate,
  type TemplateBody,
} from './schemas/notifications/notification-templates.ts';
export { OAuthApp, OAuthFlow } from './schemas/integrations/oauth.ts';
export {
  ProviderDefinition,
  ProviderPreset,
  ProviderPreview,
} from './schemas/integrations/provider-definitions.ts';
export { ProviderVerification } from './schemas/integrations/provider-verification.ts';
export { Member } from './schemas/members.ts';
export { Recovery, type RecoveryFilters } from './schemas/webhooks/recoveries.ts';
export { Webhook, WebhookFilters, WebhookFilterVerdict } from './schemas/webhooks/webhooks.ts';
export { STATS_FAILURES_MAX } from './schemas/workspaces/stats.ts';
export { WebhookStats } from './schemas/webhooks/webhook-stats.ts';
export {
  STATS_SOURCES_MAX,
  STATS_WEBHOOKS_MAX,
  WorkspaceStats,
} from './schemas/workspaces/workspace-stats.ts';
export { WorkspaceHealth } from './schemas/workspaces/workspace-health.ts';
export { Workspace } from './schemas/workspaces/workspaces.ts';
