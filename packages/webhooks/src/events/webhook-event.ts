import type { WebhookEventData, WebhookTrigger } from './event-data.ts';

/**
 * The delivery envelope. Specification, "Webhook delivery envelope". Unknown fields are kept.
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
  /** ID of the delivery, the same on every attempt. Deduplicate by it. */
  id: string;
  /** The trigger. */
  type: Type;
  /** The time at which the event occurred, ISO 8601 in UTC. */
  created_at: string;
  /** The workspace of the event. */
  workspace_id: string;
  /** The details, depending on `type`. */
  data: Data;
  /** The event behind the delivery. */
  event: {
    /** ID of the stored event; `null` for a trigger without one, such as `user.invited`. */
    id: string | null;
    /** The time at which it occurred, ISO 8601 in UTC (specification, "Delivery" 7). */
    timestamp: string;
  };
}

/** Nouns of the API that no trigger has yet. */
type NewNoun = 'workspace' | 'member' | 'invitation' | 'api_key' | 'delivery' | 'recovery';

/** Verbs of the API that no trigger has yet. */
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
 * A trigger that is newer than this package. At run time it can be any name. The compiler accepts names that a later
 * version may have: those with a noun or a verb that no known trigger has. If this were `string`, comparing `type` with a known name
 * would not exclude {@link UnknownWebhookEvent}, and `data` would not narrow. To compare with a name that the compiler refuses,
 * such as `build.created`, write `const name: string = event.type`.
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
export type UnknownWebhookTrigger = `${NewNoun}.${string}` | `${string}.${NewVerb}`;

/**
 * An event whose type is newer than this package. It is authentic, like every other event; its `data` is not typed.
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
export type UnknownWebhookEvent = WebhookEnvelope<UnknownWebhookTrigger, Record<string, unknown>>;

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
export type WebhookEventOf<Type extends WebhookTrigger> = WebhookEnvelope<Type, WebhookEventData[Type]>;

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
  | { [Type in WebhookTrigger]: WebhookEventOf<Type> }[WebhookTrigger]
  | UnknownWebhookEvent;
