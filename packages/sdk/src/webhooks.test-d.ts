import type { DELIVERY_HEADERS } from '@hubline/contract/constants';
import type * as Contract from '@hubline/contract/types';
import type { SignatureHeaders, WebhookEvent } from './webhooks.ts';

// Compiled by tsc, never run: an assertion that does not hold is a type error.
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

type Delivery = typeof DELIVERY_HEADERS;

// `@hubline/webhooks` has no dependencies, so it repeats the names of the contract.
export function theSignatureHeadersAreThoseOfTheContract(): void {
  type Names = Delivery['signature' | 'standardId' | 'standardTimestamp' | 'standardSignature'];
  assertType<Equal<keyof SignatureHeaders, Names>>();
}

export function theDataOfEventsIsThatOfTheContract(): void {
  type DataOf<Type extends string> = Extract<WebhookEvent, { type: Type }>['data'];
  assertType<Equal<DataOf<'event.created'>, Contract.EventCreatedData>>();
  assertType<Equal<DataOf<'automation.completed'>, Contract.AutomationCompletedData>>();
  assertType<Equal<DataOf<'integration.connected'>, Contract.IntegrationConnectedData>>();
  assertType<Equal<DataOf<'user.invited'>, Contract.UserInvitedData>>();
  assertType<Equal<DataOf<'webhook.failing'>, Contract.WebhookFailingData>>();
  assertType<Equal<DataOf<'webhook.disabled'>, Contract.WebhookDisabledData>>();
  assertType<Equal<DataOf<'integration.error'>, Contract.IntegrationErrorData>>();
  assertType<Equal<DataOf<'notification.sent'>, Contract.NotificationSentData>>();
  assertType<Equal<DataOf<'automation.disabled'>, Contract.AutomationDisabledData>>();
}
