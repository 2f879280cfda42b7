import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { readPointer } from '../../domain/json/json-pointer.ts';
import { type ApiResponse, callApi, ownReason, retryAfterSeconds } from '../wire/call-api.ts';
import { isJsonObject } from '../wire/json-body.ts';
import type { Credentials, ProviderTools } from '../provider.ts';

const NAME = "Linear's API";
const PUBLIC_URL = 'https://api.linear.app';
// The wait when Linear does not say when its limit ends.
const LIMIT_SECONDS = 60;

/** A refusal by Linear, because of the credentials, their permissions, or the request itself. */
export interface LinearRefusal {
  ok: false;
  why: 'credentials' | 'permission' | 'request';
  message: string;
}

/** The data that was asked for, or why there is none. */
export type LinearResponse = { ok: true; data: Record<string, unknown> } | LinearRefusal;

/** Linear's GraphQL API with one key. */
export interface LinearApi {
  /** Throws `ProviderUnavailable` for a response that is not Linear's own. */
  ask(query: string, variables?: Record<string, unknown>): Promise<LinearResponse>;
}

/** The API of linear.app, or of the operator's override. */
export function linearApi({ api_key, token }: Credentials, tools: ProviderTools): LinearApi {
  const key = token ?? api_key ?? '';
  const url = `${(tools.apiUrl ?? PUBLIC_URL).replace(/\/+$/, '')}/graphql`;
  return {
    async ask(query, variables = {}) {
      const response = await callApi(tools, NAME, {
        method: 'POST',
        url,
        // A personal API key is sent without a scheme.
        headers: {
          authorization: token === undefined ? key : `Bearer ${token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ query, variables }),
        ...(tools.apiUrl === undefined ? {} : { trusted: true }),
      });
      return readResponse(response, key, tools.clock());
    },
  };
}

// Failures of Linear itself, whatever their status: the next attempt may work.
const TRANSIENT: ReadonlySet<unknown> = new Set([
  'internal error',
  'network error',
  'bootstrap error',
  'lock timeout',
]);

const WHY = new Map<unknown, 'credentials' | 'permission'>([
  ['authentication error', 'credentials'],
  ['forbidden', 'permission'],
  ['feature not accessible', 'permission'],
]);

// GraphQL: a refusal may come with 200, and Linear's rate limit comes with 400.
function readResponse(response: ApiResponse, key: string, now: Date): LinearResponse {
  const { status, body, headers } = response;
  if (status === 0) throw new ProviderUnavailable(`${NAME} is at a blocked address`);
  const error = readPointer(body, '/errors/0');
  if (error === undefined) {
    const data = readPointer(body, '/data');
    if (status === 200 && isJsonObject(data)) {
      const isDone = Object.values(data).every((result) => readPointer(result, '/success') !== false);
      return isDone ? { ok: true, data } : { ok: false, why: 'request', message: 'it reported no success' };
    }
    if (status === 401) return { ok: false, why: 'credentials', message: `${NAME} responded with 401` };
    throw new ProviderUnavailable(`${NAME} responded with ${status} and no data`);
  }
  const said =
    readPointer(error, '/extensions/userPresentableMessage') ?? readPointer(error, '/message') ?? '';
  const message = ownReason(typeof said === 'string' ? said : '', key) || `${NAME} responded with ${status}`;
  const type = readPointer(error, '/extensions/type');
  if (type === 'ratelimited' || readPointer(error, '/extensions/code') === 'RATELIMITED') {
    throw new ProviderUnavailable(`${NAME} limits this key: ${message}`, limitSeconds(headers, now));
  }
  if (TRANSIENT.has(type)) throw new ProviderUnavailable(`${NAME} failed: ${message}`);
  return { ok: false, why: status === 401 ? 'credentials' : (WHY.get(type) ?? 'request'), message };
}

// The reset is in milliseconds since 1970.
function limitSeconds(headers: ApiResponse['headers'], now: Date): number {
  const reset = Number(headers['x-ratelimit-requests-reset']);
  const untilReset = Number.isFinite(reset) ? Math.ceil((reset - now.getTime()) / 1_000) : 0;
  return retryAfterSeconds(headers, now) ?? (untilReset > 0 ? untilReset : LIMIT_SECONDS);
}
