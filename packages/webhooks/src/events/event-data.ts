import type { EventCreatedData, Open } from './event-created.ts';

/**
 * `data` of `automation.completed`. Specification, "Delivery" 6.
 *
 * @example
 * ```ts
 * import { webhook } from '@hubline/webhooks/web';
 *
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event) => {
 *   if (event.type !== 'automation.completed' || event.data.status !== 'failed') return;
 *   console.error(`${event.data.automation_name} has failed: ${event.data.run_id}`);
 * });
 * ```
 */
export interface AutomationCompletedData {
  /** The automation: `aut_…`. */
  automation_id: string;
  /** Its name when it ran. */
  automation_name: string;
  /** The run: `run_…`. */
  run_id: string;
  /** The outcome of the run. */
  status: Open<'succeeded' | 'failed' | 'skipped' | 'cancelled'>;
  /** The event that started the run; `null` if none did. */
  event_id: string | null;
}

/**
 * `data` of `integration.connected`. Specification, "Delivery" 6.
 *
 * @example
 * ```ts
 * import { webhook } from '@hubline/webhooks/web';
 *
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event) => {
 *   if (event.type === 'integration.connected') console.log(`${event.data.integration_type} is connected.`);
 * });
 * ```
 */
export interface IntegrationConnectedData {
  /** The integration: `int_…`. */
  integration_id: string;
  /** Its provider key, such as `github`. */
  integration_type: string;
  /** Its name; `null` without one. */
  integration_name: string | null;
}

/**
 * `data` of `user.invited`. Specification, "Trigger and subscription names" 4.
 *
 * @example
 * ```ts
 * import { webhook } from '@hubline/webhooks/web';
 *
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event) => {
 *   if (event.type === 'user.invited') console.log(`${event.data.email} was invited as ${event.data.role}.`);
 * });
 * ```
 */
export interface UserInvitedData {
  /** The invited user: `usr_…`. */
  user_id: string;
  /** The address that the invitation went to. */
  email: string;
  /** The role that the user gets on accepting. */
  role: Open<'owner' | 'admin' | 'member' | 'viewer'>;
}

/**
 * `data` of `webhook.failing`, which `*` does not include: a webhook has to name it. Specification, "Trigger and subscription
 * names" 6.
 *
 * @example
 * ```ts
 * import { webhook } from '@hubline/webhooks/web';
 *
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event) => {
 *   if (event.type === 'webhook.failing') console.error(`${event.data.webhook_host} has failed since ${event.data.failing_since}`);
 * });
 * ```
 */
export interface WebhookFailingData {
  /** The webhook: `whk_…`. */
  webhook_id: string;
  /** Its name; `null` without one. */
  webhook_name: string | null;
  /** The host of its URL. */
  webhook_host: string;
  /** The time of the first failure since the last success. */
  failing_since: string | null;
}

/**
 * `data` of `webhook.disabled`, which `*` does not include: a webhook has to name it. Specification, "Trigger and subscription
 * names" 7.
 *
 * @example
 * ```ts
 * import { webhook } from '@hubline/webhooks/web';
 *
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event) => {
 *   if (event.type === 'webhook.disabled') console.error(`${event.data.webhook_host}: ${event.data.message}`);
 * });
 * ```
 */
export interface WebhookDisabledData extends WebhookFailingData {
  /** The reason why it was disabled. */
  reason: Open<'manual' | 'failing' | 'gone' | 'secret_unreadable'>;
  /** The reason in words. */
  message: string;
}

/**
 * `data` of `integration.error`, which `*` does not include: a webhook has to name it. Specification, "Trigger and
 * subscription names" 8.
 *
 * @example
 * ```ts
 * import { webhook } from '@hubline/webhooks/web';
 *
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event) => {
 *   if (event.type === 'integration.error') console.error(`${event.data.integration_type}: ${event.data.message}`);
 * });
 * ```
 */
export interface IntegrationErrorData extends IntegrationConnectedData {
  /** The code of the problem, such as `credentials_refused`. */
  code: string;
  /** The problem in words, and its cure. */
  message: string;
}

/**
 * `data` of `automation.disabled`, which `*` does not include: a webhook has to name it. Specification, "Trigger and
 * subscription names" 9.
 *
 * @example
 * ```ts
 * import { webhook } from '@hubline/webhooks/web';
 *
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event) => {
 *   if (event.type === 'automation.disabled') console.error(`${event.data.automation_name}: ${event.data.message}`);
 * });
 * ```
 */
export interface AutomationDisabledData {
  /** The automation: `aut_…`. */
  automation_id: string;
  /** Its name. */
  automation_name: string;
  /** The user who was responsible for its calls and may no longer edit automations: `usr_…`. */
  user_id: string;
  /** The reason in words, and the cure. */
  message: string;
}

/**
 * `data` of `notification.sent`: a message of a notification rule that has the webhook as a destination. Specification, "Trigger and
 * subscription names" 10.
 *
 * @example
 * ```ts
 * import { webhook } from '@hubline/webhooks/web';
 *
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event) => {
 *   if (event.type === 'notification.sent' && event.data.severity === 'critical') console.error(event.data.title);
 * });
 * ```
 */
export interface NotificationSentData {
  /** The rule: `nrl_…`. */
  rule_id: string;
  /** Its name. */
  rule_name: string;
  /** The trigger of the message. */
  trigger: Open<Exclude<keyof WebhookEventData, 'notification.sent'>>;
  /** The event; `null` without one. */
  event_id: string | null;
  /** The title, in one line. */
  title: string;
  /** The text. */
  text: string;
  /** The urgency. */
  severity: Open<'critical' | 'high' | 'medium' | 'low' | 'none'>;
}

/**
 * The `data` of every trigger. Specification, "Trigger and subscription names" 1 to 10.
 *
 * @example
 * ```ts
 * import type { WebhookEventData, WebhookTrigger } from '@hubline/webhooks';
 *
 * const handlers: { [Type in WebhookTrigger]?: (data: WebhookEventData[Type]) => void } = {
 *   'event.created': ({ event_type, payload }) => console.log(event_type, payload),
 *   'user.invited': ({ email }) => console.log(email),
 * };
 * handlers['user.invited']?.({ user_id: 'usr_…', email: 'ada@example.com', role: 'member' });
 * ```
 */
export interface WebhookEventData {
  /** A new event was received from an integration, or published. */
  'event.created': EventCreatedData;
  /** A run of an automation has ended. */
  'automation.completed': AutomationCompletedData;
  /** A new integration was connected. */
  'integration.connected': IntegrationConnectedData;
  /** Somebody was invited to the workspace. */
  'user.invited': UserInvitedData;
  /** Every attempt of a webhook fails. */
  'webhook.failing': WebhookFailingData;
  /** Hubline has disabled a webhook. */
  'webhook.disabled': WebhookDisabledData;
  /** An integration has a problem. */
  'integration.error': IntegrationErrorData;
  /** Hubline has disabled an automation. */
  'automation.disabled': AutomationDisabledData;
  /** A notification rule has sent a message to the webhook. */
  'notification.sent': NotificationSentData;
}

/**
 * The triggers that this version of the package knows: each is a `type` of an envelope. Specification, "Trigger and subscription names" 1 to 10.
 *
 * @example
 * ```ts
 * import type { WebhookTrigger } from '@hubline/webhooks';
 *
 * const channels: Record<WebhookTrigger, string> = {
 *   'event.created': '#activity',
 *   'automation.completed': '#automation',
 *   'integration.connected': '#admin',
 *   'user.invited': '#admin',
 *   'webhook.failing': '#ops',
 *   'webhook.disabled': '#ops',
 *   'integration.error': '#ops',
 *   'automation.disabled': '#ops',
 *   'notification.sent': '#ops',
 * };
 * console.log(channels['user.invited']);
 * ```
 */
export type WebhookTrigger = keyof WebhookEventData;
