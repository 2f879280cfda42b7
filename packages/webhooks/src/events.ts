/** Text that is one of a known list today and may be another one tomorrow. */
type Open<Known extends string> = Known | (string & {});

/**
 * A person, thing or place that an event names. Every field is `null` where the provider does not tell.
 *
 * @example
 * ```ts
 * import type { SummaryEntity } from '@hubline/webhooks';
 *
 * const link = ({ name, kind, url }: SummaryEntity) => `<a href="${url ?? '#'}">${name ?? kind}</a>`;
 * console.log(link({ kind: 'repo', id: '1296269', name: 'acme/web', url: 'https://github.com/acme/web' }));
 * ```
 */
export interface SummaryEntity {
  /** The kind, such as `pull_request` or `repo`. */
  kind: string | null;
  /** Its id in the provider. */
  id: string | null;
  /** Its title or name. */
  name: string | null;
  /** A page for people to look at. */
  url: string | null;
}

/**
 * A provider's payload, reduced to what timelines, filters and templates need.
 *
 * @example
 * ```ts
 * import { webhook } from '@hubline/webhooks/web';
 *
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event) => {
 *   if (event.type !== 'event.created') return;
 *   const { actor, text, severity } = event.data.summary;
 *   console.log(severity, actor?.name, text);
 * });
 * ```
 */
export interface EventSummary {
  /** The action, such as `opened`. */
  action: string | null;
  /** The person or program that did it. */
  actor: { id: string | null; name: string | null } | null;
  /** The thing that it happened to. */
  subject: SummaryEntity | null;
  /** The container: a repository, project or channel. */
  container: SummaryEntity | null;
  /** One line for people, at most 280 characters. */
  text: string | null;
  /** How urgent it is. */
  severity: Open<'critical' | 'high' | 'medium' | 'low' | 'none'>;
  /** The provider's own time of the event, ISO 8601 in UTC. */
  occurred_at: string | null;
}

/**
 * `data` of `event.created`. Specification, "Webhook delivery envelope".
 *
 * @example
 * ```ts
 * import { webhook } from '@hubline/webhooks/web';
 *
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event) => {
 *   if (event.type !== 'event.created' || event.data.event_type !== 'push') return;
 *   console.log(event.data.event_source, event.data.payload['ref']); // as the provider sent it
 * });
 * ```
 */
export interface EventCreatedData {
  /** The integration that the event came through; `null` if it was published through the API. */
  integration_id: string | null;
  /** Provider key of that integration, such as `github`. */
  integration_type: string;
  /** Name of what produced the event. */
  event_source: string;
  /** Provider data, untouched. Its structure depends on `event_type` and `event_source`. */
  payload: Record<string, unknown>;
  /** Id of the event in the Events API: `evt_…`. */
  event_id: string;
  /** Category, such as `pull_request`, `push`, `message`, `issue` or `commit`. */
  event_type: string;
  /** The payload, reduced to a common form. */
  summary: EventSummary;
}

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
  /** How the run ended. */
  status: Open<'succeeded' | 'failed' | 'skipped' | 'cancelled'>;
  /** The event that started it; `null` if a person did. */
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
 * `data` of `user.invited`. Specification, "Trigger and subscription names".
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
 * `data` of `webhook.failing`, which a webhook gets only if it names it. Specification, "Trigger and subscription names".
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
  /** The first failure since the last success. */
  failing_since: string | null;
}

/**
 * `data` of `webhook.disabled`, which a webhook gets only if it names it. Specification, "Trigger and subscription names".
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
  /** Why it was disabled. */
  reason: Open<'manual' | 'failing' | 'gone' | 'secret_unreadable'>;
  /** The reason in words. */
  message: string;
}

/**
 * `data` of `integration.error`, which a webhook gets only if it names it. Specification, "Trigger and subscription names".
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
  /** Kind of the problem, such as `credentials_refused`. */
  code: string;
  /** The problem in words, and its cure. */
  message: string;
}

/**
 * `data` of `automation.disabled`, which a webhook gets only if it names it. Specification, "Trigger and subscription names".
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
  /** The user who answered for its calls, and may no longer edit automations: `usr_…`. */
  user_id: string;
  /** The reason in words, and the cure. */
  message: string;
}

/**
 * `data` of `notification.sent`: a message of a notification rule that has the webhook as a destination. Specification, "Trigger and
 * subscription names".
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
  /** The trigger that it is about. */
  trigger: string;
  /** The event; `null` without one. */
  event_id: string | null;
  /** One line. */
  title: string;
  /** The text. */
  text: string;
  /** The urgency. */
  severity: Open<'critical' | 'high' | 'medium' | 'low' | 'none'>;
}

/**
 * The `data` of every event type. Specification, "Trigger and subscription names".
 *
 * @example
 * ```ts
 * import type { WebhookEventData, WebhookEventType } from '@hubline/webhooks';
 *
 * const handlers: { [Type in WebhookEventType]?: (data: WebhookEventData[Type]) => void } = {
 *   'event.created': ({ event_type, payload }) => console.log(event_type, payload),
 *   'user.invited': ({ email }) => console.log(email),
 * };
 * handlers['user.invited']?.({ user_id: 'usr_…', email: 'ada@example.com', role: 'member' });
 * ```
 */
export interface WebhookEventData {
  /** A new event was received from any integration. */
  'event.created': EventCreatedData;
  /** An automation workflow finished. */
  'automation.completed': AutomationCompletedData;
  /** A new integration was added to the workspace. */
  'integration.connected': IntegrationConnectedData;
  /** A new team member was invited. */
  'user.invited': UserInvitedData;
  /** Every attempt of a webhook fails. */
  'webhook.failing': WebhookFailingData;
  /** Hubline has disabled a webhook. */
  'webhook.disabled': WebhookDisabledData;
  /** An integration has a problem. */
  'integration.error': IntegrationErrorData;
  /** Hubline has disabled an automation. */
  'automation.disabled': AutomationDisabledData;
  /** A notification rule has the webhook as a destination. */
  'notification.sent': NotificationSentData;
}

/**
 * The event types that this version of the package knows. Specification, "Trigger and subscription names".
 *
 * @example
 * ```ts
 * import type { WebhookEventType } from '@hubline/webhooks';
 *
 * const channels: Record<WebhookEventType, string> = {
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
export type WebhookEventType = keyof WebhookEventData;

/**
 * The delivery envelope. Specification, "Webhook delivery envelope". Fields that are added later are kept as they come.
 *
 * @example
 * ```ts
 * import type { WebhookEnvelope } from '@hubline/webhooks';
 *
 * // A row for a table, whatever the event.
 * const row = ({ id, type, created_at, data }: WebhookEnvelope<string, object>) => [id, type, created_at, JSON.stringify(data)];
 * ```
 */
export interface WebhookEnvelope<Type extends string, Data> {
  /** Id of the delivery, the same on every attempt: what to deduplicate by. */
  id: string;
  /** The trigger. */
  type: Type;
  /** When the event occurred, ISO 8601 in UTC. */
  created_at: string;
  /** The workspace it occurred in. */
  workspace_id: string;
  /** The details, depending on `type`. */
  data: Data;
  /** The event behind the delivery. */
  event: {
    /** Id of the stored event; `null` where the trigger is not one, such as `user.invited`. */
    id: string | null;
    /** When it occurred, ISO 8601 in UTC (specification, "Delivery" 7). */
    timestamp: string;
  };
}

/** Nouns of the API that no event type has yet. */
type NewNoun = 'workspace' | 'member' | 'invitation' | 'api_key' | 'delivery' | 'recovery';

/** Verbs of the API that no event type has yet. */
type NewVerb =
  | 'updated'
  | 'renamed'
  | 'deleted'
  | 'removed'
  | 'joined'
  | 'failed'
  | 'started'
  | 'disconnected'
  | 'enabled'
  | 'rotated'
  | 'revoked'
  | 'expired';

/**
 * The type of an event that is newer than this package. At run time it is any name. The compiler takes those that a later version may
 * have: another noun than the known types, or another verb. With `string` instead, comparing `type` with a known name would not exclude
 * the unknown arm of {@link WebhookEvent}, and `data` would not narrow. To compare with a name that the compiler refuses, such as
 * `build.created`, write `const name: string = event.type`.
 *
 * @example
 * ```ts
 * import { webhook } from '@hubline/webhooks/web';
 *
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event) => {
 *   if (event.type === 'workspace.deleted') console.log(event.workspace_id, event.data);
 * });
 * ```
 */
export type UnknownWebhookEventType = `${NewNoun}.${string}` | `${string}.${NewVerb}`;

/**
 * An event whose type is newer than this package: authentic, delivered like every other, with `data` as it came.
 *
 * @example
 * ```ts
 * import type { UnknownWebhookEvent } from '@hubline/webhooks';
 * import { webhook } from '@hubline/webhooks/web';
 *
 * const keep = ({ type, data }: UnknownWebhookEvent) => console.log(`${type} is new`, data);
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event) => {
 *   switch (event.type) {
 *     case 'event.created':
 *     case 'automation.completed':
 *     case 'integration.connected':
 *     case 'user.invited':
 *     case 'webhook.failing':
 *     case 'webhook.disabled':
 *     case 'integration.error':
 *     case 'automation.disabled':
 *     case 'notification.sent':
 *       return console.log(event.id);
 *     default:
 *       return keep(event);
 *   }
 * });
 * ```
 */
export type UnknownWebhookEvent = WebhookEnvelope<UnknownWebhookEventType, Record<string, unknown>>;

/**
 * The event of one type. Specification, "Webhook delivery envelope".
 *
 * @example
 * ```ts
 * import type { WebhookEventOf } from '@hubline/webhooks';
 * import { webhook } from '@hubline/webhooks/web';
 *
 * const welcome = ({ data, workspace_id }: WebhookEventOf<'user.invited'>) => console.log(data.email, workspace_id);
 * export const POST = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET }, (event) => {
 *   if (event.type === 'user.invited') welcome(event);
 * });
 * ```
 */
export type WebhookEventOf<Type extends WebhookEventType> = WebhookEnvelope<Type, WebhookEventData[Type]>;

/**
 * A delivered event. Specification, "Webhook delivery envelope". Comparing `type` narrows `data`; what remains after all
 * known types is {@link UnknownWebhookEvent}.
 *
 * @example
 * ```ts
 * import type { WebhookEvent } from '@hubline/webhooks';
 *
 * export function describe(event: WebhookEvent): string {
 *   switch (event.type) {
 *     case 'event.created':
 *       return `${event.data.event_type} from ${event.data.event_source}`;
 *     case 'user.invited':
 *       return `${event.data.email} was invited as ${event.data.role}`;
 *     default:
 *       return event.type;
 *   }
 * }
 * ```
 */
export type WebhookEvent =
  | { [Type in WebhookEventType]: WebhookEventOf<Type> }[WebhookEventType]
  | UnknownWebhookEvent;
