import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { id, page } from '../schemas/common.ts';
import {
  Event,
  EventBatch,
  EventBatchResult,
  eventFilters,
  EventPublish,
  eventQuery,
  ListedEvent,
} from '../schemas/events.ts';
import { from, inWorkspace } from './access.ts';
import { workspaceParams } from './params.ts';

export const eventEndpoints = {
  'events.list': {
    operationId: 'listEvents',
    method: 'GET',
    path: '/workspaces/{id}/events',
    summary: 'List events.',
    description:
      'Lists the events of a workspace, newest first, filtered by type, source, time, integration, delivery status and search words.',
    access: inWorkspace(from.path, 'view', 'events:read'),
    params: workspaceParams,
    query: z.object(eventQuery),
    response: page(ListedEvent),
    status: 200,
    write: false,
  },
  'events.listAll': {
    operationId: 'listAllEvents',
    method: 'GET',
    path: '/events',
    summary: 'List events of all workspaces.',
    description: 'Lists events of every workspace that the key sees, newest first.',
    errors: {
      not_found:
        '`workspace_id` does not name a workspace that the key sees, or `integration_id` does not name an integration, past or present, of such a workspace.',
    },
    access: { kind: 'user', scope: 'events:read' },
    query: z.object({
      workspace_id: id('workspace').optional().describe('Only events of this workspace.'),
      ...eventQuery,
    }),
    response: page(ListedEvent),
    status: 200,
    write: false,
  },
  'events.get': {
    operationId: 'getEvent',
    method: 'GET',
    path: '/workspaces/{id}/events/{eventId}',
    summary: 'Read an event.',
    description: 'Returns one event with its payload, byte for byte as the provider sent it.',
    access: inWorkspace(from.path, 'view', 'events:read'),
    params: z.object({ id: id('workspace'), eventId: id('event') }),
    response: Event,
    status: 200,
    write: false,
  },
  'events.publish': {
    operationId: 'publishEvent',
    method: 'POST',
    path: '/workspaces/{id}/events',
    summary: 'Publish an event.',
    description:
      'Stores an event, and a delivery for each webhook that subscribes to it, in one transaction. If there are more than 2,000 deliveries, background jobs create the rest. The payload is stored unchanged. A request can be up to 1 MiB.',
    errors: {
      not_found: '`integration_id` does not name an integration of this workspace.',
    },
    access: inWorkspace(from.path, 'publish_events', 'events:write'),
    params: workspaceParams,
    body: EventPublish,
    response: Event,
    status: 201,
    write: true,
  },
  'events.publishBatch': {
    operationId: 'publishEventBatch',
    method: 'POST',
    path: '/workspaces/{id}/events/batch',
    summary: 'Publish several events.',
    description:
      'Stores up to 1,000 events, in a request of at most 1 MiB. If one is refused, none is stored. If there are more than 2,000 deliveries in all, background jobs create the rest.',
    errors: {
      not_found: 'An `integration_id` does not name an integration of this workspace.',
    },
    access: inWorkspace(from.path, 'publish_events', 'events:write'),
    params: workspaceParams,
    body: EventBatch,
    response: EventBatchResult,
    status: 201,
    write: true,
  },
  'events.stream': {
    operationId: 'streamEvents',
    method: 'GET',
    path: '/workspaces/{id}/events/stream',
    summary: 'Follow events.',
    description:
      'Streams events as server-sent events: `id` is the event ID, `event` is `event`, `data` is the event as JSON. Without `since`, the stream begins now. A client that reconnects with `Last-Event-ID` misses nothing. A comment every 10 seconds keeps the connection open. A client that reads nothing for 15 seconds is disconnected.',
    access: inWorkspace(from.path, 'view', 'events:read'),
    params: workspaceParams,
    query: z.object(eventFilters),
    response: ListedEvent,
    status: 200,
    write: false,
    special: 'event-stream',
  },
} as const satisfies Record<string, Endpoint>;
