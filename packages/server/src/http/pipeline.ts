import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { type Endpoint, type EndpointName, HEADERS } from '@hubline/contract';
import type { Context as HonoContext } from 'hono';
import type { Context, Deps, WorkspaceContext } from '../context.ts';
import type { Actor, Tenant } from '../domain/actor.ts';
import { Fault } from '../domain/fault.ts';
import { stringify } from '../domain/json.ts';
import { authenticate } from '../services/authenticate.ts';
import type { Idempotency } from '../services/idempotency.ts';
import type { KeyUsage } from '../services/key-usage.ts';
import { authorise, resolveTenant } from '../services/tenancy.ts';
import { createCursors } from './cursors.ts';
import { toErrorResponse } from './errors.ts';
import { fingerprintOf, idempotencyKeyOf } from './idempotency-key.ts';
import { parseBody, parseParams, parseQuery, refusePrototypeKeys } from './parse-input.ts';
import type { Charge, RateLimiter } from './rate-limiter.ts';
import { type JsonBody, readJson } from './read-body.ts';
import { authorizationOf, describeRequest, type RequestMeta, requireHttps } from './request.ts';

/** Hono's context, with Node's own request behind it. */
export type HttpContext = HonoContext<{ Bindings: HttpBindings }>;

/** What the pipeline needs besides the server's own parts. */
export interface HttpDeps extends Deps {
  readonly idempotency: Idempotency;
  readonly keyUsage: KeyUsage;
  readonly limiters: { api: RateLimiter; burst: RateLimiter | null; ingest: RateLimiter };
}

/** A request on its way through: each step adds what it found. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly meta: RequestMeta;
  /** Headers of the response, set before it is made: adding them afterwards triples the cost of a request. */
  readonly headers: Record<string, string>;
}

/** What a handler gets: validated input. */
export interface Input {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

/** A handler of the table, with its types erased. */
export type Handler = (context: WorkspaceContext, input: Input) => Promise<unknown>;

/** What a special endpoint makes of its own response. */
export type Respond = (context: WorkspaceContext, input: Input, exchange: Exchange) => Promise<Response>;

const JSON_HEADERS = {
  'Content-Type': 'application/json',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

/** Runs `work` and turns whatever it throws into an error response; every response carries the same base headers. */
export async function guarded(
  deps: HttpDeps,
  c: HttpContext,
  work: (exchange: Exchange) => Promise<Response>,
): Promise<Response> {
  const { incoming } = c.env;
  const meta = describeRequest(deps, incoming);
  const headers: Record<string, string> = { [HEADERS.requestId]: meta.id };
  try {
    requireHttps(deps, incoming);
    return await work({ incoming, meta, headers });
  } catch (error) {
    // A request that failed before it was charged to somebody is charged to its address.
    if (headers[HEADERS.rateLimitLimit] === undefined) {
      setRateHeaders(headers, deps.limiters.api.take(`ip:${meta.ip}`, meta.now));
    }
    const { status, headers: own, body } = toErrorResponse(error, meta, deps.log);
    return new Response(body, { status, headers: { ...JSON_HEADERS, ...headers, ...own } });
  }
}

/** Charges a request to a name; beyond the limit it is 429. */
export function charge({ limiters }: HttpDeps, exchange: Exchange, name: string): void {
  const { now } = exchange.meta;
  settle(exchange, [limiters.api.take(name, now), limiters.burst?.take(name, now)]);
}

/** Charges a provider's call to its integration, against the higher limit of ingest. */
export function chargeIngest({ limiters }: HttpDeps, exchange: Exchange, integrationId: string): void {
  settle(exchange, [limiters.ingest.take(integrationId, exchange.meta.now)]);
}

/** Announces the first charge, and refuses the request if any of them is refused. */
function settle({ headers }: Exchange, [first, ...others]: [Charge, ...(Charge | undefined)[]]): void {
  setRateHeaders(headers, first);
  const refused = [first, ...others].find((charged) => charged !== undefined && !charged.allowed);
  if (!refused) return;
  throw new Fault(
    'rate_limited',
    `More than ${refused.limit} requests in a window. Wait ${refused.retryAfter} s.`,
    {
      headers: { [HEADERS.retryAfter]: String(refused.retryAfter) },
    },
  );
}

function setRateHeaders(headers: Record<string, string>, { limit, remaining, reset }: Charge): void {
  headers[HEADERS.rateLimitLimit] = String(limit);
  headers[HEADERS.rateLimitRemaining] = String(remaining);
  headers[HEADERS.rateLimitReset] = String(reset);
}

/** A successful JSON response. */
export function jsonResponse({ headers }: Exchange, status: number, body: string): Response {
  if (status === 204) return new Response(null, { status, headers });
  return new Response(body, { status, headers: { ...JSON_HEADERS, ...headers } });
}

/** The context of a request without an actor. `list` names the list that its cursors are for. */
export function publicContext(
  deps: HttpDeps,
  { meta }: Exchange,
  { list, bodyText }: { list: string; bodyText: string },
) {
  const context = {
    ...deps,
    requestId: meta.id,
    ip: meta.ip,
    userAgent: meta.userAgent,
    now: meta.now,
    bodyText,
    cursors: createCursors(deps.vault, list),
  };
  return withDoor(context, deps.store.write);
}

/** The context with a door for writes; what waits for the commit runs after it. */
function withDoor<Base extends Omit<Context, 'write' | 'afterCommit'>>(
  context: Base,
  write: Context['write'],
): Base & Pick<Context, 'write' | 'afterCommit'> {
  const effects: (() => void)[] = [];
  return {
    ...context,
    afterCommit: (effect) => effects.push(effect),
    async write(unit) {
      const result = await write(unit);
      for (const effect of effects.splice(0)) effect();
      return result;
    },
  };
}

/** One row of the table as a route: authenticate, find the workspace, charge, authorise, validate, handle, encode. */
export function serve(deps: HttpDeps, { name, row, handle, respond }: Route) {
  return (c: HttpContext): Promise<Response> =>
    guarded(deps, c, async (exchange) => {
      const { incoming, meta } = exchange;
      const actor =
        row.access.kind === 'public' ? null : await authenticate(deps, authorizationOf(incoming), meta.now);
      if (actor) deps.keyUsage.note(actor.key.id, meta.now);
      const search = new URL(c.req.url).searchParams;
      const json: JsonBody = row.body ? await readJson(incoming) : { text: '', value: undefined };
      const { params, tenant } = await locate(deps, exchange, { row, actor, c, search, json });
      if (row.access.kind !== 'public' && actor) authorise(row.access, actor, tenant);
      const input: Input = {
        params,
        query: parseQuery(row.query, search),
        body: parseBody(row.body, json.value),
      };
      refusePrototypeKeys(json.value);

      const { cursor: _cursor, limit: _limit, ...filters } = input.query;
      const list = JSON.stringify([name, tenant?.workspaceId ?? actor?.userId, params, filters]);
      const common = publicContext(deps, exchange, { list, bodyText: json.text });
      // The table says which endpoints have an actor and a workspace; the handlers' types hold them to it.
      const context = { ...common, actor, tenant } as WorkspaceContext;
      if (respond) return respond(context, input, exchange);

      const key = row.write && actor ? idempotencyKeyOf(incoming) : undefined;
      if (key === undefined || !actor) {
        const result = await handle(context, input);
        return jsonResponse(exchange, row.status, result === undefined ? '' : stringify(result));
      }
      const { status, body, replayed } = await deps.idempotency.run(
        {
          scope: actor.key.workspaceId ?? actor.userId,
          key,
          fingerprint: fingerprintOf(incoming, json.text),
          status: row.status,
          secret: row.secret === true,
          now: meta.now,
        },
        (write) => handle(withDoor(context, write), input),
      );
      if (replayed) exchange.headers[HEADERS.idempotencyReplayed] = 'true';
      return jsonResponse(exchange, status, body);
    });
}

/** A row with what serves it. */
export interface Route {
  name: EndpointName;
  row: Endpoint;
  handle: Handler;
  respond?: Respond;
}

interface Located {
  row: Endpoint;
  actor: Actor | null;
  c: HttpContext;
  search: URLSearchParams;
  json: JsonBody;
}

/**
 * The path parameters and the workspace, and who pays for the request. Asking for a workspace that one is not in is
 * charged to oneself: nobody can use up the requests of others.
 */
async function locate(
  deps: HttpDeps,
  exchange: Exchange,
  { row, actor, c, search, json }: Located,
): Promise<{ params: Record<string, string>; tenant: Tenant | null }> {
  if (!actor) {
    charge(deps, exchange, `ip:${exchange.meta.ip}`);
    return { params: parseParams(row.params, c.req.param()), tenant: null };
  }
  const own = actor.key.workspaceId ?? actor.userId;
  if (row.access.kind !== 'workspace') {
    charge(deps, exchange, own);
    return { params: parseParams(row.params, c.req.param()), tenant: null };
  }
  let params: Record<string, string>;
  let tenant: Tenant;
  try {
    params = parseParams(row.params, c.req.param());
    const hints = { params, query: Object.fromEntries(search), body: json.value };
    tenant = await resolveTenant(deps, { actor, from: row.access.from }, hints);
  } catch (error) {
    charge(deps, exchange, own);
    throw error;
  }
  charge(deps, exchange, tenant.workspaceId);
  return { params, tenant };
}
