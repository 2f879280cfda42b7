import type { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { apiKeyEndpoints } from './api-keys.ts';
import { auditLogEndpoints } from './audit-log.ts';
import { automationEndpoints } from './automations.ts';
import { deliveryEndpoints } from './deliveries.ts';
import { eventEndpoints } from './events.ts';
import { ingestEndpoints } from './integrations/ingest.ts';
import { integrationEndpoints } from './integrations/integrations.ts';
import { meEndpoints } from './me.ts';
import { memberEndpoints } from './members.ts';
import { notificationEndpoints } from './notifications.ts';
import { oauthEndpoints } from './integrations/oauth.ts';
import { providerEndpoints } from './integrations/providers.ts';
import { webhookEndpoints } from './webhooks.ts';
import { workspaceEndpoints } from './workspaces.ts';

/**
 * Every endpoint of the API, once. Handlers, validation, permission checks, the OpenAPI document and the SDK's types
 * are derived from this table; the key is `<resource>.<verb>`, the name of the method in the SDK.
 */
export const endpoints = {
  ...meEndpoints,
  ...workspaceEndpoints,
  ...memberEndpoints,
  ...apiKeyEndpoints,
  ...integrationEndpoints,
  ...providerEndpoints,
  ...oauthEndpoints,
  ...ingestEndpoints,
  ...eventEndpoints,
  ...webhookEndpoints,
  ...deliveryEndpoints,
  ...automationEndpoints,
  ...notificationEndpoints,
  ...auditLogEndpoints,
} as const satisfies Record<string, Endpoint>;

/** The type of the endpoints table. */
export type Endpoints = typeof endpoints;

/** The name of an endpoint: `<resource>.<verb>`. */
export type EndpointName = keyof Endpoints;

type Input<Row, Part extends string> =
  Row extends Record<Part, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;

/** The validated parts of a request, as a handler receives them. */
export interface EndpointInput<Name extends EndpointName> {
  params: Input<Endpoints[Name], 'params'>;
  query: Input<Endpoints[Name], 'query'>;
  body: Input<Endpoints[Name], 'body'>;
}

/** The result of a handler. */
export type EndpointOutput<Name extends EndpointName> = Endpoints[Name] extends {
  response: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;
