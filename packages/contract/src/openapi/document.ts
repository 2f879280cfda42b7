import type { Endpoint } from '../endpoint.ts';
import { type EndpointName, endpoints } from '../endpoints/index.ts';
import { Components } from './components.ts';
import { deliveries } from './deliveries.ts';
import { INFO } from './info.ts';
import type { Json } from './json.ts';
import { operation } from './operation.ts';
import { CALLS_TAG, TAGS } from './tags.ts';

/** The OpenAPI 3.1 document of the API, generated from the endpoints table. `version` is that of the product. */
export function openApiDocument(version: string): Json {
  const components = new Components();
  const paths = pathItems(components);
  const webhooks = deliveries(components);
  return {
    openapi: '3.1.0',
    info: { title: 'Hubline API', version, ...INFO },
    servers: [
      {
        url: 'http://127.0.0.1:8787/v1',
        description: 'A server on this machine, as `hubline server start` starts it.',
      },
    ],
    externalDocs: {
      url: 'https://www.npmjs.com/package/@hubline/sdk',
      description: 'The SDK for TypeScript, with a guide.',
    },
    security: [{ bearer: [] }],
    tags: [...Object.values(TAGS), CALLS_TAG],
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key: `hl_` and 36 characters. It acts with the current role of its creator, lowered to its own role, within its scopes.',
        },
      },
      ...components.toJSON(),
    },
  };
}

/** The operations by path. Rows whose paths differ only in the names of parameters share the path of the first. */
function pathItems(components: Components): Record<string, Json> {
  const templates = new Map<string, string>();
  const items: Record<string, Json> = {};
  for (const [name, row] of Object.entries<Endpoint>(endpoints)) {
    const shape = row.path.replaceAll(/\{\w+\}/g, '{}');
    const path = templates.get(shape) ?? row.path;
    templates.set(shape, path);
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter as string);
    const item = (items[path] ??= {});
    item[row.method.toLowerCase()] = operation(name as EndpointName, { row, names }, components);
  }
  return items;
}
