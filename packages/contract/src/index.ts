/**
 * The Hubline API as data: zod schemas, the endpoints table, roles and scopes, error codes, limits, header names and
 * the OpenAPI document. The server binds handlers to it; the SDK takes its types from `@hubline/contract/types`.
 *
 * @packageDocumentation
 */
export type { AccessRule, Endpoint, WorkspaceSource } from './endpoint.ts';
export {
  type EndpointInput,
  type EndpointName,
  type EndpointOutput,
  type Endpoints,
  endpoints,
} from './endpoints.ts';
export { ERROR_CODES, ERROR_STATUS, type ErrorCode } from './errors.ts';
export { type Deprecation, deprecationHeaders } from './deprecation.ts';
export { DELIVERY_HEADERS, HEADERS } from './headers.ts';
export { ID_ALPHABET, ID_PREFIXES, type IdKind, idPattern, isId } from './ids.ts';
export { LIMITS } from './limits.ts';
export { outranks, type Permission, PERMISSIONS, type Role, roleAllows, ROLES, weakerRole } from './roles.ts';
export { type GrantedScope, type Scope, SCOPES, scopesAllow, scopesCover } from './scopes.ts';
export { isTimestamp } from './text.ts';
export { ApiKey } from './schemas/api-keys.ts';
export { AuditEntry } from './schemas/audit-log.ts';
export {
  CREDENTIALS,
  type CustomPreset,
  type CustomVerification,
  type ProviderKey,
} from './schemas/credentials.ts';
export {
  Attempt,
  ATTEMPT_ERROR_KINDS,
  Delivery,
  DELIVERY_STATUSES,
  DELIVERY_TRIGGERS,
  DeliveryDetail,
} from './schemas/deliveries.ts';
export { MALFORMED_ID } from './schemas/common.ts';
export { ErrorBody, FlatErrorBody } from './schemas/errors.ts';
export { Event, EventSummary, ListedEvent } from './schemas/events.ts';
export { Integration, IntegrationConfig, Provider } from './schemas/integrations.ts';
export { Member } from './schemas/members.ts';
export {
  RECOVERABLE_STATUSES,
  Recovery,
  RECOVERY_STATUSES,
  type RecoveryFilters,
} from './schemas/recoveries.ts';
export { type Trigger, TRIGGERS } from './schemas/triggers.ts';
export { DISABLED_REASONS, Webhook, WebhookFilters } from './schemas/webhooks.ts';
export { STATS_WEBHOOKS_MAX, STATS_WINDOWS, WorkspaceStats } from './schemas/workspace-stats.ts';
export { PLANS, Workspace } from './schemas/workspaces.ts';
