/** A string that is one of the known values, or one that a later version adds. */
export type Open<Known extends string> = Known | (string & {});

/**
 * A person, thing or place that an event names. A field is `null` if the provider does not give it.
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
  /** Its ID at the provider. */
  id: string | null;
  /** Its title or name. */
  name: string | null;
  /** The URL of its page, for people. */
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
  /** The place of the subject: a repository, project or channel. */
  container: SummaryEntity | null;
  /** One line for people, at most 280 characters. */
  text: string | null;
  /** Its urgency. */
  severity: Open<'critical' | 'high' | 'medium' | 'low' | 'none'>;
  /** The time of the event by the provider's clock, ISO 8601 in UTC. */
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
  /** Name of the event's producer. */
  event_source: string;
  /** Provider data, untouched. Its structure depends on `event_type` and `event_source`. */
  payload: Record<string, unknown>;
  /** ID of the event in the Events API: `evt_…`. */
  event_id: string;
  /** Event type, such as `pull_request`, `push`, `message`, `issue` or `commit`. */
  event_type: string;
  /** The payload, reduced to a common form. */
  summary: EventSummary;
}
