import { AsyncLocalStorage } from 'node:async_hooks';
import type { axios } from 'acme-client';
import { z } from 'zod';
import type { ProviderHttp } from '../outbound/provider-http.ts';
import { AuthorityProblem } from './authority.ts';

type Adapter = Extract<(typeof axios)['defaults']['adapter'], (...args: never) => unknown>;

/** An authority, and the function that sends requests to it. */
interface Transport {
  /** The URL of the authority's directory. */
  directory: string;
  providerHttp: ProviderHttp;
}

const transports = new AsyncLocalStorage<Transport>();

const METHODS = { GET: 'GET', HEAD: 'HEAD', POST: 'POST' } as const;

/** Runs `work`, whose requests are sent by `transport`. */
export const withTransport = <Result>(transport: Transport, work: () => Result): Result =>
  transports.run(transport, work);

/**
 * Sends the library's requests. Its own adapter would wait for as long as `Retry-After` says, without a limit, and
 * loses the reason when there is no response. This one fails at once: `renewal.ts` decides on the pauses between attempts.
 */
export const adapter: Adapter = async (config) => {
  const transport = transports.getStore();
  if (transport === undefined)
    throw new Error('A request of the certificate library was made outside of withTransport.');
  const { url = '', method = '', data } = config;
  const { status, headers, body } = await transport.providerHttp({
    method: METHODS[method.toUpperCase() as keyof typeof METHODS],
    url,
    headers: Object.fromEntries(
      Object.entries(config.headers.toJSON()).map(([name, value]) => [name, String(value)]),
    ),
    ...(typeof data === 'string' && { body: data }),
    trusted: true,
  });
  if (url === transport.directory) refuseOther(status, body);
  if (status >= 400) {
    const problem = problemOf({ status, headers, body });
    // The library takes the nonce of that response and retries.
    if (problem.type !== 'badNonce') throw problem;
  }
  return { status, statusText: '', headers, data: body, config };
};

const directorySchema = z.object({ newNonce: z.url(), newAccount: z.url(), newOrder: z.url() });

/** Throws if this is not the response of an authority to a request for its directory (RFC 8555, 7.1.1). A failing server may still be one. */
function refuseOther(status: number, body: string): void {
  if (status >= 500 || status === 429) return;
  if (status !== 200) throw new AuthorityProblem('directory', `it responds with HTTP ${status}`);
  if (!directorySchema.safeParse(parse(body)).success)
    throw new AuthorityProblem('directory', 'its response does not name newNonce, newAccount and newOrder');
}

const PREFIX = 'urn:ietf:params:acme:error:';

/** Reads a problem document (RFC 8555, 6.7). Of several subproblems, the first says the most. */
function problemOf(response: {
  status: number;
  headers: Record<string, string>;
  body: string;
}): AuthorityProblem {
  const { status, headers, body } = response;
  const retryAfterMs = retryAfterOf(headers);
  const problem = detailOf(parse(body));
  if (problem !== null) return new AuthorityProblem(problem.type, problem.detail, { retryAfterMs });
  const type = status === 429 ? 'rateLimited' : status >= 500 ? 'serverInternal' : 'unknown';
  return new AuthorityProblem(type, `it responded with HTTP ${status}`, { retryAfterMs });
}

/** Reads the type and the detail of a problem, or of the first of its parts; `null` if it is not a problem. */
export function detailOf(value: unknown): { type: string; detail: string } | null {
  if (typeof value !== 'object' || value === null) return null;
  const { type, detail, subproblems } = value as Record<string, unknown>;
  const part: unknown = Array.isArray(subproblems) ? subproblems[0] : undefined;
  const inner = detailOf(part);
  if (inner !== null) return inner;
  if (typeof type !== 'string' || !type.startsWith(PREFIX)) return null;
  return { type: type.slice(PREFIX.length), detail: typeof detail === 'string' ? detail : '' };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** `Retry-After` is a number of seconds, or a time by the clock of the authority. */
function retryAfterOf({ 'retry-after': after = '', date = '' }: Record<string, string>): number {
  if (/^\d{1,10}$/.test(after)) return Number(after) * 1_000;
  const ms = Date.parse(after) - Date.parse(date);
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
