import type { Event, EventBatch, EventBatchResult, EventPublish, ListedEvent } from '@hubline/contract/types';
import type { ApiPromise, PagePromise } from '../core/api-promise.ts';
import type { EventStream } from '../core/event-stream.ts';
import type { RequestOptions, StreamOptions } from '../core/options.ts';
import { type QueryOf, Resource } from '../core/resource.ts';
import { get, post } from '../internal/url.ts';

/**
 * Query of {@link Events.list}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * const today = { type: 'push', source: 'github', since: '2026-01-02T00:00:00Z' };
 * for await (const { summary } of client.events.list(workspaceId, today)) console.log(summary.text);
 * ```
 */
export type EventListQuery = QueryOf<'events.list'>;

/**
 * Query of {@link Events.listAll}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * for await (const { workspace_id, type } of client.events.listAll({ source: 'ci', since: '2026-01-02T00:00:00Z' }))
 *   console.log(workspace_id, type);
 * ```
 */
export type EventListAllQuery = QueryOf<'events.listAll'>;

/**
 * Query of {@link Events.stream}. See docs/decisions/bounds.md.
 *
 * @example
 * ```ts
 * for await (const { payload } of client.events.stream(workspaceId, { type: 'deploy', source: 'ci' })) console.log(payload);
 * ```
 */
export type EventStreamQuery = QueryOf<'events.stream'>;

/**
 * Things that happened in the connected tools. Specification, "Events" 1 to 3.
 *
 * @example
 * ```ts
 * const { event_id } = await client.events.publish(workspaceId, { type: 'deploy', payload: { version: '1.2.3' } });
 * const { summary } = await client.events.get(workspaceId, event_id);
 * ```
 */
export class Events extends Resource<'events'> {
  /**
   * Lists the events of a workspace, newest first.
   *
   * @throws {@link NotFoundError} when the key cannot see the workspace.
   *
   * @example
   * ```ts
   * const pushes = await client.events.list(workspaceId, { type: 'push' }).toArray({ limit: 50 });
   * ```
   */
  list(workspaceId: string, query?: EventListQuery, options?: RequestOptions): PagePromise<ListedEvent> {
    return this.page('list', get`/workspaces/${workspaceId}/events`, options, query);
  }

  /**
   * Lists the events of all workspaces that the key can see, newest first.
   *
   * @throws {@link NotFoundError} when `workspace_id` is one that the key cannot see.
   *
   * @example
   * ```ts
   * const latest = await client.events.listAll({ source: 'github' }).toArray({ limit: 10 });
   * ```
   */
  listAll(query?: EventListAllQuery, options?: RequestOptions): PagePromise<ListedEvent> {
    return this.page('listAll', get`/events`, options, query);
  }

  /**
   * Reads an event.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { type, payload } = await client.events.get(workspaceId, 'evt_…');
   * ```
   */
  get(workspaceId: string, eventId: string, options?: RequestOptions): ApiPromise<Event> {
    return this.call('get', get`/workspaces/${workspaceId}/events/${eventId}`, options);
  }

  /**
   * Publishes an event, which is stored and delivered like one from a connected tool.
   *
   * @throws {@link InvalidRequestError}
   *
   * @example
   * ```ts
   * const { event_id } = await client.events.publish(workspaceId, { type: 'deploy', payload: { version: '1.2.3' } });
   * ```
   */
  publish(workspaceId: string, body: EventPublish, options?: RequestOptions): ApiPromise<Event> {
    return this.call('publish', post`/workspaces/${workspaceId}/events`, options, body);
  }

  /**
   * Publishes up to 1,000 events: all are stored, or none.
   *
   * @throws {@link InvalidRequestError} whose `details` name the invalid event.
   *
   * @example
   * ```ts
   * const events = ['1.2.3', '1.2.4'].map((version) => ({ type: 'deploy', payload: { version } }));
   * await client.events.publishBatch(workspaceId, { events });
   * ```
   */
  publishBatch(
    workspaceId: string,
    body: EventBatch,
    options?: RequestOptions,
  ): ApiPromise<EventBatchResult> {
    return this.call('publishBatch', post`/workspaces/${workspaceId}/events/batch`, options, body);
  }

  /**
   * Follows the events of a workspace as they come, and reconnects when the connection is lost: see {@link EventStream}.
   *
   * @throws {@link NotFoundError} when the key cannot see the workspace.
   *
   * @example
   * ```ts
   * for await (const event of client.events.stream(workspaceId)) console.log(event.type, event.summary.text);
   * ```
   */
  stream(workspaceId: string, query?: EventStreamQuery, options?: StreamOptions): EventStream<ListedEvent> {
    return this.follow('stream', get`/workspaces/${workspaceId}/events/stream`, options, query);
  }
}
