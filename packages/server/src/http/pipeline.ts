import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import {
  deprecationHeaders,
  type Endpoint,
  type EndpointName,
  HEADERS,
  LIMITS,
  scopesAllow,
} from '@hubline/contract';
import type { Context as HonoContext } from 'hono';
import type { Reservation } from '../limits/byte-budget.ts';
import { clientNetwork } from '../limits/client-network.ts';
import type { Context, Deps, WorkspaceContext } from '../context.ts';
import type { Access, Actor } from '../domain/actor.ts';
import { Fault } from '../domain/faults/fault.ts';
import { bytesOf, encode, type JsonPiece } from '../domain/json/encoded.ts';
import { authenticate } from '../services/identity/authenticate.ts';
import type { Idempotency, IdempotentRequest, Recall } from '../services/idempotency.ts';
import type { KeyUsage } from '../services/identity/key-usage.ts';
import { authorize, resolveAccess } from '../services/identity/access.ts';
import { hashToken } from '../secrets/token.ts';
import { createCursors } from './answer/cursors.ts';
import type { BodyReader, Upload } from './request/body-reader.ts';
import { toErrorResponse } from './answer/errors.ts';
import { headersOf, rateHeaders } from './answer/http-fault.ts';
import { idempotencyKeyOf } from './request/idempotency-key.ts';
import { type JsonBody, readJson } from './request/json-body.ts';
import { logRequest, type RequestIds, routeOf } from './request-log.ts';
import { parseBody, parseParams, parseQuery, refuseFields } from './request/parse-input.ts';
import type { Charge } from '../limits/rate-limiter.ts';
import type { Payer, RequestLimits } from './request-limits.ts';
import { goneSignal } from './request/gone-signal.ts';
import { type Reply, send, type TextReply, type WholeReply } from './answer/reply.ts';
import { describeRequest, proofOf, type RequestMeta, requireHttps, searchOf } from './request/request.ts';
import { unitOfWork } from './unit-of-work.ts';

/** Hono's context, with Node's own request behind it. */
export type HttpContext = HonoContext<{ Bindings: HttpBindings }>;

/** The parts that the pipeline needs besides the server's own. */
export interface HttpDeps extends Deps {
  readonly idempotency: Idempotency;
  readonly keyUsage: KeyUsage;
  readonly bodies: BodyReader;
  readonly limits: RequestLimits;
  /** How long a client may take nothing of a large answer or a stream, in milliseconds. */
  readonly stallMs: number;
}

/** A request on its way through: each step adds what it found. */
export interface Exchange extends Upload {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly meta: RequestMeta;
  /** Headers of the response, set before it is made: adding them afterwards triples the cost of a request. */
  readonly headers: Record<string, string>;
  /** The payer when the request fails before it is known which workspace it is about. */
  payer: Payer;
  /** The payer that has been charged. */
  charged: Payer | null;
  /** The ids that the log may tell, as they become known. */
  readonly ids: RequestIds;
  /** The memory of its answer. */
  answer: Reservation | null;
}

/** The validated input of a handler. */
export interface Input {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

/** An exchange before its request is looked at. */
type Begun = Omit<Exchange, 'incoming' | 'outgoing'>;

/** A handler of the table, with its types erased. */
export type Handler = (context: WorkspaceContext, input: Input) => Promise<unknown>;

/** Makes the response of a special endpoint. */
export type Respond = (context: WorkspaceContext, input: Input, exchange: Exchange) => Promise<Reply>;

// With the length: the answer to HEAD has no body to take it from.
const jsonHeaders = (bytes: number) => ({
  'Content-Type': 'application/json',
  'Content-Length': String(bytes),
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
});

/** Runs `work` and turns whatever it throws into an error response; every response carries the same base headers. */
export async function guarded(
  deps: HttpDeps,
  c: HttpContext,
  work: (exchange: Exchange) => Promise<Reply>,
): Promise<Response> {
  const { incoming, outgoing } = c.env;
  const started = performance.now();
  const exchange: Exchange = { incoming, outgoing, ...begin(describeRequest(deps, incoming)) };
  let reply: Reply;
  try {
    requireHttps(deps, incoming);
    reply = await work(exchange);
    const reserving = reserveReply(deps, exchange, reply);
    if (reserving) await reserving;
  } catch (error) {
    exchange.answer?.release();
    exchange.answer = null;
    reply = refuse(deps, exchange, error);
  }
  logRequest(deps, exchange, {
    method: c.req.method,
    route: routeOf(c),
    status: reply.status,
    ms: performance.now() - started,
  });
  const sent = send({ ...exchange, stallMs: deps.stallMs }, reply);
  exchange.room?.release();
  return sent;
}

/** The beginning of an exchange: an address pays for what nobody has paid for yet. */
export function begin(meta: RequestMeta): Begun {
  const name = clientNetwork(meta.ip);
  return {
    meta,
    headers: { [HEADERS.requestId]: meta.id },
    payer: { kind: 'address', name },
    charged: null,
    holder: name,
    ids: {},
    room: null,
    answer: null,
  };
}

/** Whatever was thrown as a complete response. */
export function refuse(deps: HttpDeps, exchange: Begun, error: unknown): TextReply {
  const cause = chargeRefused(deps, exchange, error);
  const { status, headers, body } = toErrorResponse(cause, exchange.meta, deps.log);
  const length = Buffer.byteLength(body);
  return { status, headers: { ...jsonHeaders(length), ...exchange.headers, ...headers }, body };
}

// Node and the kernel buffer as much for a connection anyhow.
const SMALL_ANSWER_BYTES = 64 * 1024;

/** Sees to it that a large answer has memory until it is sent, and that a small one keeps none. */
function reserveReply(deps: HttpDeps, exchange: Exchange, reply: Reply): Promise<unknown> | undefined {
  if (!('body' in reply) || reply instanceof Response) return undefined;
  const bytes = Number(reply.headers['Content-Length'] ?? 0);
  if (bytes > SMALL_ANSWER_BYTES) return exchange.answer ? undefined : reserveAnswer(deps, exchange, bytes);
  exchange.answer?.release();
  exchange.answer = null;
  return undefined;
}

async function reserveAnswer(
  { budgets: { answers } }: HttpDeps,
  exchange: Exchange,
  bytes: number,
): Promise<Reservation> {
  const { holder, outgoing } = exchange;
  const now = answers.take(holder, bytes);
  return (exchange.answer = now ?? (await answers.reserve(holder, bytes, goneSignal(outgoing))));
}

/**
 * Charges a request that failed, if nobody has been charged yet: it may be 429 instead. What a limit refused costs nothing.
 * Answers what the request is refused for.
 */
export function chargeRefused(deps: HttpDeps, exchange: Begun, error: unknown): unknown {
  if (error instanceof Fault && error.code === 'rate_limited') {
    if (exchange.charged) deps.limits.giveBack(exchange.charged, exchange.meta.now);
    exchange.charged = null;
    return error;
  }
  try {
    if (!exchange.charged) charge(deps, exchange, exchange.payer);
  } catch (limited) {
    if (error instanceof Fault) return limited;
    // A mistake of the server is told as such; its headers are those of every response.
    Object.assign(exchange.headers, headersOf(limited as Fault));
  }
  return error;
}

/** Charges a request; beyond a limit it is 429. */
export function charge({ limits }: HttpDeps, exchange: Begun, payer: Payer): void {
  announce(exchange, payer, limits.charge(payer, exchange.meta.now));
}

/** Charges an authentic call of a provider. */
export function chargeCall(
  { limits }: HttpDeps,
  exchange: Exchange,
  call: { integrationId: string; workspaceId: string },
): void {
  const payer: Payer = { kind: 'workspace', name: call.workspaceId };
  announce(exchange, payer, limits.chargeCall(call, exchange.meta.now));
}

function announce(exchange: Begun, payer: Payer, charge: Charge): void {
  exchange.charged = payer;
  Object.assign(exchange.headers, rateHeaders(charge));
}

/** A successful JSON response. */
export function jsonReply(
  { headers }: Exchange,
  status: number,
  body: string | readonly JsonPiece[],
): WholeReply {
  if (status === 204) return { status, headers, body: '' };
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : bytesOf(body);
  return { status, headers: { ...jsonHeaders(bytes), ...headers }, body };
}

/** The context of a request without an actor. `list` names the list that its cursors are for, if it has any. */
export function publicContext(
  deps: HttpDeps,
  exchange: Exchange,
  { list = () => '', bodyText = '' }: { list?: () => string; bodyText?: string } = {},
) {
  const { meta } = exchange;
  return {
    ...deps,
    requestId: meta.id,
    ip: meta.ip,
    userAgent: meta.userAgent,
    now: meta.now,
    bodyText,
    cursors: createCursors(deps.vault, list),
    reserveAnswer: (bytes: number) => reserveAnswer(deps, exchange, bytes),
    ...doorTo(deps, exchange, deps.store.write),
  };
}

/** A door for the writes of a request. An effect that fails is told in the log. */
function doorTo(
  { log }: Pick<Deps, 'log'>,
  { meta }: Pick<Exchange, 'meta'>,
  write: Context['write'],
): ReturnType<typeof unitOfWork> {
  return unitOfWork({
    write,
    onFailure: (error, effect) =>
      log.error({ err: error, request_id: meta.id, effect }, 'an effect of a request failed'),
  });
}

/** One row of the table as a route: authenticate, find the workspace, charge, authorize, validate, handle, encode. */
export function serve(deps: HttpDeps, { name, row, handle, respond, recall }: Route) {
  const farewell = row.deprecated && deprecationHeaders(row.deprecated);
  return (c: HttpContext): Promise<Response> =>
    guarded(deps, c, async (exchange) => {
      const { incoming, meta } = exchange;
      if (farewell) Object.assign(exchange.headers, farewell);
      let actor = await callerOf(deps, exchange, row);
      if (actor) {
        exchange.payer = payerOf(actor);
        exchange.holder = exchange.payer.name;
        exchange.ids.user_id = actor.userId;
        const { id } = actor.credential;
        if (id !== null) {
          exchange.ids.key_id = id;
          deps.keyUsage.note(id, meta.now);
        }
      }
      const search = searchOf(incoming);
      const query = parseQuery(row.query, search);
      // The workspace of a request is known before its body is read, unless only the body tells.
      const told = row.access.kind === 'workspace' && row.access.from.in === 'body';
      const whole = incoming.complete;
      let json = told ? await readBody(deps, exchange, row) : NO_BODY;
      let located: Awaited<ReturnType<typeof locate>>;
      try {
        located = await locate(deps, exchange, { row, actor, c, search, json });
      } catch (error) {
        if (!actor || !(await isRepeatedDeletion(deps, { exchange, row, actor, error }))) throw error;
        charge(deps, exchange, exchange.payer);
        exchange.headers[HEADERS.idempotencyReplayed] = 'true';
        return jsonReply(exchange, row.status, '');
      }
      const { params } = located;
      let { access } = located;
      authorizeFor(row, actor, access);
      if (!told) json = await readBody(deps, exchange, row);
      if (!whole) ({ actor, access } = await askAgain(deps, exchange, { row, params, search, json }));
      const request = row.write ? idempotentOf(deps, exchange, { row, actor, json }) : null;
      const input: Input = {
        params,
        query,
        body: row.body ? parseBody(row.body, json.value) : undefined,
      };

      const list = (): string => {
        const { cursor: _cursor, limit: _limit, ...filters } = input.query;
        return JSON.stringify([name, access?.workspaceId ?? actor?.userId, params, filters]);
      };
      const common = publicContext(deps, exchange, { list, bodyText: json.text });
      // The table says which endpoints have an actor and a workspace; the handlers' types hold them to it.
      const context = Object.assign(common, { actor, access }) as WorkspaceContext;
      if (respond) return respond(context, input, exchange);

      if (request === null) {
        const result = await handle(context, input);
        return jsonReply(exchange, row.status, result === undefined ? '' : encode(result));
      }
      const { status, body, replayed } = await deps.idempotency.run(
        request,
        (write) => handle({ ...context, ...doorTo(deps, exchange, write) }, input),
        recall?.(context),
      );
      if (replayed) exchange.headers[HEADERS.idempotencyReplayed] = 'true';
      return jsonReply(exchange, status, body);
    });
}

const payerOf = ({ userId, credential: { workspaceId } }: Actor): Payer =>
  workspaceId === null ? { kind: 'user', name: userId } : { kind: 'workspace', name: workspaceId };

const NO_BODY: JsonBody = { text: '', value: undefined };

/** The body of a request. Anybody may send to a public row: its bodies are small. */
async function readBody(deps: HttpDeps, exchange: Exchange, row: Endpoint): Promise<JsonBody> {
  if (row.method === 'GET') return NO_BODY;
  const { kind } = row.access;
  const isSmall = kind === 'public' || kind === 'optional' || !row.body;
  const json = await readJson(deps.bodies, exchange, isSmall ? LIMITS.publicBodyBytes : LIMITS.bodyBytes);
  if (row.body) return json;
  refuseFields(json.value);
  return NO_BODY;
}

/** Authenticates the caller; `null` if none is needed and none is named. A bad key or session is always refused. */
async function callerOf(
  deps: HttpDeps,
  { incoming, meta }: Exchange,
  { access }: Endpoint,
): Promise<Actor | null> {
  if (access.kind === 'public') return null;
  const proof = proofOf(incoming);
  if (access.kind === 'optional' && proof.authorization === undefined && proof.session === undefined)
    return null;
  return authenticate(deps, proof, meta.now);
}

/** Refuses a caller without the scope or permission with 403. An optional caller is judged by the service. */
function authorizeFor({ access: rule }: Endpoint, actor: Actor | null, access: Access | null): void {
  if (actor && rule.kind !== 'public' && rule.kind !== 'optional') authorize(rule, actor, access);
}

/** Authenticates and authorizes again: a slow body must not carry a key, a session or a role past its end. */
async function askAgain(
  deps: HttpDeps,
  exchange: Exchange,
  { row, params, search, json }: Omit<Located, 'actor' | 'c'> & { params: Record<string, string> },
): Promise<{ actor: Actor | null; access: Access | null }> {
  const actor = await callerOf(deps, exchange, row);
  const hints = { params, query: Object.fromEntries(search), body: json.value };
  const access =
    actor && row.access.kind === 'workspace'
      ? await resolveAccess(deps, { actor, from: row.access.from }, hints)
      : null;
  authorizeFor(row, actor, access);
  return { actor, access };
}

/** The request as `Idempotency-Key` sees it; `null` without that header. */
function idempotentOf(
  deps: HttpDeps,
  { incoming, meta }: Exchange,
  { row, actor, json }: { row: Endpoint; actor: Actor | null; json: JsonBody },
): IdempotentRequest | null {
  const key = idempotencyKeyOf(incoming);
  const scope = actor ? scopeOf(actor) : scopeOfProof(row, json.value);
  if (key === undefined || scope === null) return null;
  return {
    scope,
    key,
    fingerprint: deps.idempotency.fingerprint(incoming, json.text),
    status: row.status,
    secret: row.secret === true,
    known: actor !== null,
    now: meta.now,
  };
}

/** The user as well as the workspace: nobody fetches the answer, or the secret, of a colleague's request. */
const scopeOf = ({ userId, credential }: Actor) => `${userId} ${credential.workspaceId ?? 'personal'}`;

/** The scope of a request without a key or session: the proof in its body. */
function scopeOfProof({ access }: Endpoint, body: unknown): string | null {
  if (access.kind !== 'optional' || typeof body !== 'object' || body === null) return null;
  const proof = (body as Record<string, unknown>)[access.proof];
  return typeof proof === 'string' ? `${access.proof} ${hashToken(proof)}` : null;
}

/**
 * Reports whether a deletion is not found because it has been done already, by this very request. What is gone has no workspace to
 * ask for a role; its stored outcome says nothing but that.
 */
async function isRepeatedDeletion(
  deps: HttpDeps,
  { exchange, row, actor, error }: { exchange: Exchange; row: Endpoint; actor: Actor; error: unknown },
): Promise<boolean> {
  if (row.status !== 204 || row.access.kind !== 'workspace') return false;
  if (!(error instanceof Fault) || error.code !== 'not_found') return false;
  if (!scopesAllow(actor.credential.scopes, row.access.scope)) return false;
  const request = idempotentOf(deps, exchange, { row, actor, json: NO_BODY });
  return request !== null && (await deps.idempotency.find(request)) !== undefined;
}

/** A row with what serves it. */
export interface Route {
  name: EndpointName;
  row: Endpoint;
  handle: Handler;
  respond: Respond | undefined;
  recall: ((context: WorkspaceContext) => Recall) | undefined;
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
): Promise<{ params: Record<string, string>; access: Access | null }> {
  if (!actor || row.access.kind !== 'workspace') {
    charge(deps, exchange, exchange.payer);
    return { params: parseParams(row.params, c.req.param()), access: null };
  }
  const params = parseParams(row.params, c.req.param());
  const hints = { params, query: Object.fromEntries(search), body: json.value };
  const access = await resolveAccess(deps, { actor, from: row.access.from }, hints);
  exchange.ids.workspace_id = access.workspaceId;
  charge(deps, exchange, { kind: 'workspace', name: access.workspaceId });
  return { params, access };
}
