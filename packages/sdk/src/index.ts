export { Hubline, type RequestInput } from './client.ts';

export {
  APIError,
  ConflictError,
  ForbiddenError,
  InternalServerError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  ServiceUnavailableError,
  UnauthorizedError,
  UnprocessableEntityError,
  type APIErrorOptions,
  type ErrorCode,
} from './core/api-error.ts';
export { ApiPromise, type WithResponse } from './core/api-promise.ts';
export type { Method, ResponseInfo } from './core/call.ts';
export {
  AbortError,
  ConnectionError,
  HublineError,
  InvalidResponseError,
  TimeoutError,
  type HublineErrorOptions,
  type InvalidResponseErrorOptions,
} from './core/errors.ts';
export { EventStream, type StreamOptions } from './core/event-stream.ts';
export {
  isAbortError,
  isAPIError,
  isConnectionError,
  isHublineError,
  isInvalidResponseError,
  isTimeoutError,
} from './core/is-error.ts';
export type { Middleware, MiddlewareContext } from './core/middleware.ts';
export type { CallLimits, ClientOptions, Logger, LogLevel, RequestOptions } from './core/options.ts';
export { Page, PagePromise, type ToArrayOptions } from './core/page.ts';
export type { RateLimit } from './core/rate-limit.ts';
export type { OperationName } from './core/requester.ts';
export type { StandardResult, StandardSchema } from './core/standard-schema.ts';
export type { Transport, TransportRequest, TransportResponse } from './core/transport.ts';
export type { Query } from './internal/url.ts';
export { kyTransport } from './transports/ky.ts';

export { ApiKeys, type ApiKeyListQuery } from './resources/api-keys.ts';
export { AuditLog, type AuditLogExportQuery, type AuditLogQuery } from './resources/audit-log.ts';
export { Deliveries, type DeliveryListQuery, type WebhookDeliveryListQuery } from './resources/deliveries.ts';
export {
  Events,
  type EventListAllQuery,
  type EventListQuery,
  type EventStreamQuery,
} from './resources/events.ts';
export { Integrations, type IntegrationListQuery, type ProviderListQuery } from './resources/integrations.ts';
export { Invitations } from './resources/invitations.ts';
export { MeResource } from './resources/me.ts';
export { Members, type MemberListQuery } from './resources/members.ts';
export { PersonalApiKeys, type PersonalApiKeyListQuery } from './resources/personal-api-keys.ts';
export { Webhooks, type WebhookListQuery } from './resources/webhooks.ts';
export { Workspaces, type WorkspaceListQuery } from './resources/workspaces.ts';

export type {
  ApiKey,
  ApiKeyCreate,
  ApiKeyRotate,
  ApiKeyUpdate,
  ApiKeyWithSecret,
  Attempt,
  AuditEntry,
  ConnectedIntegration,
  Delivery,
  DeliveryDetail,
  DeliveryStatus,
  DeliveryTrigger,
  ErrorDetail,
  Event,
  EventBatch,
  EventBatchResult,
  EventPublish,
  EventSummary,
  Integration,
  IntegrationConfig,
  IntegrationConnect,
  IntegrationCreate,
  IntegrationReconnect,
  IntegrationSummary,
  IntegrationTest,
  IntegrationTestResult,
  IntegrationUpdate,
  InvitationAccept,
  InvitedMember,
  JoinedMember,
  Me,
  Member,
  MemberInvite,
  MemberUpdate,
  Open,
  Pagination,
  PendingMember,
  PersonalApiKeyCreate,
  Plan,
  Provider,
  Role,
  Scope,
  Subscription,
  UpdatedMember,
  Webhook,
  WebhookCreate,
  WebhookFilters,
  WebhookRotatedSecret,
  WebhookRotateSecret,
  WebhookTest,
  WebhookUpdate,
  Workspace,
  WorkspaceCreate,
  WorkspaceUpdate,
} from '@hubline/contract/types';
