export type { Client, RequestInput } from './client.ts';
export { Hubline } from './hubline.ts';

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
  isAPIError,
  type APIErrorOptions,
  type ErrorCode,
} from './core/api-error.ts';
export type { ApiPromise, PagePromise, WithResponse } from './core/api-promise.ts';
export type { OperationName } from './core/call.ts';
export {
  AbortError,
  ConnectionError,
  HublineError,
  InvalidResponseError,
  TimeoutError,
  isAbortError,
  isConnectionError,
  isHublineError,
  isInvalidResponseError,
  isTimeoutError,
  type HublineErrorOptions,
  type InvalidResponseErrorOptions,
} from './core/errors.ts';
export type { EventStream } from './core/event-stream.ts';
export type {
  CallLimits,
  ClientOptions,
  Logger,
  LogLevel,
  RequestOptions,
  StandardResult,
  StandardSchema,
  StreamOptions,
} from './core/options.ts';
export type { Page, ToArrayOptions } from './core/page.ts';
export type { RateLimit, ResponseInfo } from './core/response.ts';
export type {
  Method,
  Middleware,
  MiddlewareContext,
  Transport,
  TransportRequest,
  TransportResponse,
} from './core/transport.ts';
export type { Query } from './internal/url.ts';

export type { ApiKeys, ApiKeyListQuery } from './resources/api-keys.ts';
export type { AuditLog, AuditLogExportQuery, AuditLogQuery } from './resources/audit-log.ts';
export type { Deliveries, DeliveryListQuery, WebhookDeliveryListQuery } from './resources/deliveries.ts';
export type { Events, EventListAllQuery, EventListQuery, EventStreamQuery } from './resources/events.ts';
export type { Integrations, IntegrationListQuery, ProviderListQuery } from './resources/integrations.ts';
export type { Invitations } from './resources/invitations.ts';
export type { MeResource } from './resources/me.ts';
export type { Members, MemberListQuery } from './resources/members.ts';
export type { PersonalApiKeys, PersonalApiKeyListQuery } from './resources/personal-api-keys.ts';
export type { OAuth, OAuthAppListQuery } from './resources/oauth.ts';
export type {
  ProviderDefinitionListQuery,
  ProviderPresetListQuery,
  Providers,
} from './resources/providers.ts';
export type { Recoveries } from './resources/recoveries.ts';
export type { Webhooks, WebhookListQuery } from './resources/webhooks.ts';
export type { Workspaces, WorkspaceListQuery, WorkspaceStatsQuery } from './resources/workspaces.ts';

export type {
  ApiKey,
  ApiKeyCreate,
  ApiKeyRotate,
  ApiKeyUpdate,
  ApiKeyWithSecret,
  Attempt,
  AuditEntry,
  Condition,
  ConditionOperator,
  ConditionVerdict,
  ConnectedIntegration,
  CustomCredentials,
  DefinedCredentials,
  Delivery,
  DeliveryDetail,
  DeliveryRetryAll,
  DeliveryStatus,
  DeliveryTrigger,
  DisabledReason,
  DiscordAppCredentials,
  DiscordWebhookCredentials,
  ErrorDetail,
  Event,
  EventBatch,
  EventBatchResult,
  EventPublish,
  EventSummary,
  GithubCredentials,
  GitlabCredentials,
  GitlabSignedCredentials,
  Integration,
  IntegrationConfig,
  IntegrationConnect,
  IntegrationCreate,
  IntegrationReconnect,
  IntegrationStatusCode,
  IntegrationStatusDetail,
  IntegrationSummary,
  IntegrationTest,
  IntegrationTestResult,
  IntegrationUpdate,
  InvitationAccept,
  InvitedMember,
  JiraAppCredentials,
  JiraCredentials,
  JoinedMember,
  LinearCredentials,
  ListedEvent,
  Me,
  Member,
  OAuthApp,
  OAuthAppConfigure,
  OAuthFlow,
  OAuthStart,
  MemberInvite,
  MemberUpdate,
  NotionCredentials,
  Open,
  Pagination,
  PendingMember,
  PersonalApiKeyCreate,
  Plan,
  Provider,
  ProviderDefinition,
  ProviderDefinitionCreate,
  ProviderDefinitionUpdate,
  ProviderPreset,
  ProviderPreview,
  ProviderPreviewRequest,
  ProviderSummaryRules,
  ProviderVerification,
  RecoverableStatus,
  Recovery,
  RecoveryCreate,
  RecoveryFilters,
  RecoveryStatus,
  StartedOAuthFlow,
  Role,
  Scope,
  SlackAppCredentials,
  SlackWebhookCredentials,
  StatsLatency,
  StatsPoint,
  StatsWebhook,
  StatsWindow,
  Subscription,
  TeamsOutgoingWebhookCredentials,
  TeamsWorkflowCredentials,
  Trigger,
  UpdatedMember,
  Webhook,
  WebhookCreate,
  WebhookFilters,
  WebhookFilterTest,
  WebhookFilterTestResult,
  WebhookFilterVerdict,
  WebhookRateLimit,
  WebhookRotatedSecret,
  WebhookRotateSecret,
  WebhookTest,
  WebhookUpdate,
  Workspace,
  WorkspaceCreate,
  WorkspaceStats,
  WorkspaceUpdate,
} from '@hubline/contract/types';
