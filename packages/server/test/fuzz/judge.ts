import { ERROR_STATUS, ErrorBody, FlatErrorBody, HEADERS, idPattern, LIMITS } from '@hubline/contract';
import type { z } from 'zod';
import { documentProblems } from '../api/support/documented.ts';
import { isHead } from '../api/support/raw-http.ts';
import type { FuzzRequest } from './generator/make-request.ts';
import type { FuzzResponse, NoResponse } from './send.ts';
import type { World } from './world.ts';

/** Statuses for any operation that say more exactly than 400 what is wrong with a request. */
const EXACT = new Set([405, 408, 413, 415, 417, 431]);
const RATE_HEADERS = [HEADERS.rateLimitLimit, HEADERS.rateLimitRemaining, HEADERS.rateLimitReset];
/** Paths outside the API: files and pages, which do not have the API's error body. */
const PAGES = /^\/(?:$|\?|livez|readyz|metrics|setup|invite|assets)/;
const UNKNOWN = Buffer.alloc(0);
// Twenty details, each with a list of names.
const ERROR_BODY_MAX = 20_000;

/** Lists what is wrong with a response. */
export function problemsOf(
  request: FuzzRequest,
  response: FuzzResponse | NoResponse,
  world: World,
): string[] {
  if ('failure' in response) return isHangUp(request, response) ? [] : [`no response: ${response.failure}`];
  const problems = [...serverErrors(response), ...leaks(request, response, world)];
  if (problems.length > 0 || PAGES.test(request.path)) return problems;
  const json = parse(response);
  return [
    ...baseHeaders(response),
    ...((request.raw ? isHead(request.raw) : request.method === 'HEAD')
      ? bodyOfHead(response)
      : [
          ...(response.status >= 400 ? errorProblems(response, json) : []),
          ...documentedProblems(request, response, json),
        ]),
  ];
}

/** The request of the response at this position: raw bytes may hold more than one request, of which only the first is known. */
export const requestOf = (request: FuzzRequest, at: number): FuzzRequest =>
  at === 0 ? request : { ...request, raw: UNKNOWN };

/**
 * Reports whether the server hung up on a body that is too large. It does not read such a body, and may close the
 * connection while the body is still on its way.
 */
function isHangUp({ body }: FuzzRequest, { failure }: NoResponse): boolean {
  return (
    (body?.length ?? 0) > LIMITS.publicBodyBytes && /^(?:UND_ERR_SOCKET|EPIPE|ECONNRESET)$/.test(failure)
  );
}

function serverErrors({ status, headers, text }: FuzzResponse): string[] {
  if (status < 500) return [];
  // The server lacks something for a moment, and says what and for how long: memory, a hash of a password, a provider.
  if (status === 503 && /^[1-9]\d*$/.test(headers.get('retry-after') ?? '')) return [];
  return [`${status}: ${text.slice(0, 500)}`];
}

/** Only members see the contents of a workspace's events. */
function leaks({ caller, body, path }: FuzzRequest, { text }: FuzzResponse, { marker }: World): string[] {
  const isMember = caller === 'owner' || caller === 'bound' || caller === 'viewer' || caller === 'narrow';
  if (isMember || !text.includes(marker)) return [];
  if (body?.includes(marker) || path.includes(marker)) return [];
  return [`shows an event of another workspace to ${caller}`];
}

function baseHeaders({ headers, status }: FuzzResponse): string[] {
  const problems: string[] = [];
  const id = headers.get(HEADERS.requestId.toLowerCase()) ?? '';
  if (!idPattern('request').test(id)) problems.push(`${HEADERS.requestId} is "${id}"`);
  for (const name of RATE_HEADERS) {
    const value = headers.get(name.toLowerCase()) ?? '';
    if (!/^\d+$/.test(value)) problems.push(`${name} is "${value}"`);
  }
  if (status === 429 && !headers.has('retry-after')) problems.push('429 without Retry-After');
  return problems;
}

const bodyOfHead = ({ text }: FuzzResponse) => (text === '' ? [] : ['the response to HEAD has a body']);

function errorProblems({ status, headers, text }: FuzzResponse, json: unknown): string[] {
  if (isFlat(json)) return shapeProblems(FlatErrorBody, json);
  const problems = shapeProblems(ErrorBody, json);
  if (problems.length > 0) return problems;
  const { error } = json as z.output<typeof ErrorBody>;
  if (error.request_id !== headers.get(HEADERS.requestId.toLowerCase()))
    problems.push('request_id is another');
  const isExact = error.code === 'invalid_request' && EXACT.has(status);
  if (!isExact && ERROR_STATUS[error.code] !== status) problems.push(`${status} with the code ${error.code}`);
  if (!/\S.*[.?]$/s.test(error.message)) problems.push(`the message "${error.message}" is not a sentence`);
  if (text.length > ERROR_BODY_MAX) problems.push(`an error body of ${text.length} characters`);
  return problems;
}

/** The older error body. */
const isFlat = (json: unknown) => typeof (json as { error?: unknown } | undefined)?.error === 'string';

function shapeProblems(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).slice(0, 3).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

/**
 * Lists the differences between a response and the OpenAPI document. HTTP's own refusals apply to every operation, so the
 * document leaves them out.
 */
function documentedProblems(
  { row }: FuzzRequest,
  { status, headers, text }: FuzzResponse,
  json: unknown,
): string[] {
  if (!row || EXACT.has(status)) return [];
  return documentProblems(row.name, { status, headers, text, json });
}

function parse({ headers, text }: FuzzResponse): unknown {
  if (text === '' || !headers.get('content-type')?.startsWith('application/json')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
