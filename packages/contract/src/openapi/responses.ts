import type { Endpoint } from '../endpoint.ts';
import type { ErrorCode } from '../constants/errors.ts';
import { sharedErrors } from '../examples/errors.ts';
import type { ErrorExample, Examples } from '../examples/example.ts';
import { ids } from '../examples/ids.ts';
import { ErrorBody } from '../schemas/errors.ts';
import type { Components } from './components.ts';
import { type HeaderName, responseHeaders } from './headers.ts';
import type { Json } from './json.ts';
import { mediaType } from './media-type.ts';
import { type Refusal, refusalsOf } from './refusals.ts';

/** Every response of an endpoint by status: its successes, then its refusals. */
export function responses(row: Endpoint, examples: Examples, components: Components): Json {
  const { status, alternative, response } = row;
  const { response: one, responses: several, alternatives } = examples;
  return {
    ...(alternative
      ? {
          [alternative.status]: success(
            row,
            { description: alternative.when, several: alternatives },
            components,
          ),
        }
      : {}),
    [status]: success(
      row,
      { description: response?.description ?? 'Done. There is no body.', one, several, csv: examples.csv },
      components,
    ),
    ...Object.fromEntries(
      refusalsOf(row).map((refusal) => [refusal.status, refused(row, { refusal, examples }, components)]),
    ),
  };
}

interface Success {
  description: string;
  one?: unknown;
  several?: Readonly<Record<string, unknown>> | undefined;
  csv?: string | undefined;
}

function success(row: Endpoint, { description, one, several, csv }: Success, components: Components): Json {
  const { response, special, write } = row;
  const headers = responseHeaders(components, [
    ...(write ? (['idempotencyReplayed'] as const) : []),
    ...(special === 'csv' ? (['contentDisposition'] as const) : []),
    ...deprecationHeaderNames(row),
  ]);
  if (!response) return { description, headers };
  const type =
    special === 'event-stream'
      ? 'text/event-stream'
      : response.type === 'literal'
        ? 'text/plain'
        : 'application/json';
  return {
    description,
    headers,
    content: {
      [type]: mediaType(components.schema(response), { one, several }),
      ...(csv === undefined ? {} : { 'text/csv': mediaType({ type: 'string' }, { one: csv }) }),
    },
  };
}

/** A refusal without a reason of its own is a shared response, unless deprecation adds headers to it. */
function refused(
  row: Endpoint,
  { refusal, examples }: { refusal: Refusal; examples: Examples },
  components: Components,
): Json {
  const { status, code, own, implied } = refusal;
  const response = errorResponse(
    refusal,
    { row, example: own === undefined ? undefined : examples.errors?.[code] },
    components,
  );
  if (own !== undefined || !implied || row.deprecated) return response;
  const name = status === 404 && row.write ? `${implied.name}ForWrite` : implied.name;
  return components.refer('responses', name, response);
}

/** Refusals of a write that are stored under its `Idempotency-Key`, and so can be replayed. */
const REPLAYED = new Set([404, 409, 422]);

function errorResponse(
  { status, code, own, implied }: Refusal,
  { row, example }: { row: Endpoint; example: ErrorExample | undefined },
  components: Components,
): Json {
  const shared = implied && errorBody(code, sharedErrors[implied.name]);
  const given = example && errorBody(code, example);
  return {
    description: [own, implied?.when].filter((text) => text !== undefined).join(' This status also means: '),
    headers: responseHeaders(components, [
      ...refusalHeaders({ status, implied, write: row.write }),
      ...deprecationHeaderNames(row),
    ]),
    content: {
      'application/json': mediaType(
        components.schema(ErrorBody),
        given && shared ? { several: { refused: given, general: shared } } : { one: given ?? shared },
      ),
    },
  };
}

function refusalHeaders({
  status,
  implied,
  write,
}: Pick<Refusal, 'status' | 'implied'> & { write: boolean }): HeaderName[] {
  const waits = status === 429 || status === 503 || (status === 409 && implied !== undefined);
  return [
    ...(waits ? (['retryAfter'] as const) : []),
    // The 401 of ingest is not implied: a provider is verified in its own way, not by an API key.
    ...(status === 401 && implied ? (['wwwAuthenticate'] as const) : []),
    ...(write && REPLAYED.has(status) ? (['idempotencyReplayed'] as const) : []),
  ];
}

const deprecationHeaderNames = ({ deprecated }: Endpoint): HeaderName[] =>
  deprecated ? ['deprecation', 'sunset'] : [];

/** The body of an error, as the server sends it. */
const errorBody = (code: ErrorCode, { message, details }: ErrorExample): Json => ({
  error: { code, message, ...(details ? { details } : {}), request_id: ids.request },
});
