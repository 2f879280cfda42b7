export type { WebhookHandler, WebhookOptions } from './adapters/receiver.ts';
export type { WebhookBody } from './body.ts';
export {
  isWebhookVerificationError,
  WebhookVerificationError,
  type WebhookVerificationReason,
  type WebhookVerificationStatus,
} from './error.ts';
export type { EventCreatedData, EventSummary, SummaryEntity } from './events/event-created.ts';
export type {
  AutomationCompletedData,
  IntegrationConnectedData,
  UserInvitedData,
  WebhookEventData,
  WebhookTrigger,
} from './events/event-data.ts';
export type {
  UnknownWebhookEvent,
  UnknownWebhookTrigger,
  WebhookEnvelope,
  WebhookEvent,
  WebhookEventOf,
} from './events/webhook-event.ts';
export type { HeadersLike } from './headers.ts';
export { memorySeen, type MemorySeenOptions } from './seen/memory-seen.ts';
export type { UnwrapOptions } from './options.ts';
export { assertSecret, type SecretOptions } from './secret.ts';
export type { SeenOptions, SeenState, SeenStore } from './seen/seen.ts';
export { signDelivery, type DeliveryToSign, type SignatureHeaders } from './sign/sign-delivery.ts';
export { signStandard, type StandardMessage } from './sign/sign.ts';
export { signTestWebhook, type TestWebhook, type TestWebhookOptions } from './sign/sign-test-webhook.ts';
export { sign } from './sign/sign.ts';
export { unwrap, type Delivery, type RequestLike } from './unwrap.ts';
export { verify } from './verify.ts';
