import { type Endpoint, needsFurther } from '../endpoint.ts';
import type { EndpointName } from '../endpoints/index.ts';
import type { Examples } from '../examples/example.ts';
import { examples as allExamples } from '../examples/examples.ts';
import { documentedSchema } from '../schemas/common.ts';
import type { Components } from './components.ts';
import { describe } from './describe.ts';
import type { Json } from './json.ts';
import { mediaType } from './media-type.ts';
import { parameters } from './parameters.ts';
import { responses } from './responses.ts';
import { tagOf } from './tags.ts';

/** A row of the endpoints table as an operation; `names` are the parameters of its path in the document. */
export function operation(
  name: EndpointName,
  { row, names }: { row: Endpoint; names: readonly string[] },
  components: Components,
): Json {
  const examples: Examples = allExamples[name];
  return {
    operationId: row.operationId,
    tags: [tagOf(name)],
    summary: row.summary.replace(/\.$/, ''),
    description: describe(row),
    ...(row.deprecated ? { deprecated: true } : {}),
    security: security(row),
    'x-sdk-method': name,
    ...(row.access.kind === 'workspace' ? { 'x-permission': row.access.permission } : {}),
    ...(row.variantOf ? { 'x-variant-of': row.variantOf } : {}),
    parameters: parameters(row, names, components),
    ...requestBody(row, examples, components),
    responses: responses(row, examples, components),
  };
}

/** OpenAPI 3.1 lets a bearer requirement list roles. Here they are the scopes that every request needs. */
function security({ access }: Endpoint): Json[] {
  if (access.kind === 'public') return [];
  if (access.kind === 'optional') return [{}, { bearer: [access.scope] }];
  const { scope } = access;
  if (scope === null) return [{ bearer: [] }];
  const also = access.kind === 'workspace' ? access.also : undefined;
  return [{ bearer: also && needsFurther(also) ? [scope, also.scope] : [scope] }];
}

function requestBody({ body, bodies }: Endpoint, examples: Examples, components: Components): Json {
  if (body) {
    const { description } = documentedSchema(body);
    return {
      requestBody: {
        // An absent body counts as an empty object.
        required: !body.safeParse({}).success,
        ...(description ? { description } : {}),
        content: {
          'application/json': mediaType(components.schema(body), {
            one: examples.body,
            several: examples.bodies,
          }),
        },
      },
    };
  }
  if (!bodies) return {};
  const content = Object.entries(bodies).map(([type, schema]) => [
    type,
    mediaType(components.schema(schema), { one: examples.bodies?.[type] }),
  ]);
  return { requestBody: { required: true, content: Object.fromEntries(content) } };
}
