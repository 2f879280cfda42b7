/**
 * The words and numbers of the specification, without zod: roles and their permissions, limits, statuses, triggers, scopes, error
 * codes, header names and IDs. Programs that only need these import `@hubline/contract/constants`.
 *
 * @packageDocumentation
 */
export { API_KEY_PATTERN } from './api-keys.ts';
export { ERROR_CODES, ERROR_STATUS, type ErrorCode } from './errors.ts';
export { DELIVERY_HEADERS, HEADERS } from './headers.ts';
export { ID_ALPHABET, ID_PREFIXES, type IdKind, idPattern, isId } from './ids.ts';
export { JOB_KINDS, JOB_STATES, type JobKindName } from './jobs.ts';
export { LIMITS } from './limits.ts';
export { isEmail, storedEmail } from './stored-email.ts';
export { storedName } from './stored-name.ts';
export { outranks, type Permission, PERMISSIONS, type Role, roleAllows, ROLES, weakerRole } from './roles.ts';
export { type GrantedScope, type Scope, SCOPES, scopesAllow, scopesCover } from './scopes.ts';
export {
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
  DELIVERY_STATUSES,
  DELIVERY_CAUSES,
  type DeliveryCause,
  type DeliveryStatus,
  DISABLED_REASONS,
  GONE_MESSAGE,
  MESSAGE_STATUSES,
  type NotificationTrigger,
  NAMED_TRIGGERS,
  NOTIFICATION_TRIGGERS,
  OPERATIONAL_TRIGGERS,
  type Plan,
  PLANS,
  RECOVERABLE_STATUSES,
  RECOVERY_STATUSES,
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
} from './statuses.ts';
