import { reserveReply } from './response/reserve-response.ts';
import { toErrorResponse } from './response/errors.ts';
import { jsonHeaders } from './response/json-reply.ts';
import { type Reply, send, type TextReply } from './response/reply.ts';
import { chargeRefused } from './charge.ts';
import { type Begun, type Exchange, exchangeOf, type HttpContext, type HttpDeps } from './exchange.ts';
import { logRequest, routeOf } from './request-log.ts';
import { describeRequest, requireHttps } from './request/request.ts';

/** Runs `work` and turns whatever it throws into an error response; every response carries the same base headers. */
export async function guarded(
  deps: HttpDeps,
  c: HttpContext,
  work: (exchange: Exchange) => Promise<Reply>,
): Promise<Response> {
  const { incoming } = c.env;
  const started = performance.now();
  const exchange = exchangeOf(deps, c.env, describeRequest(deps, incoming));
  let reply: Reply;
  try {
    requireHttps(deps, incoming);
    reply = await work(exchange);
    const reserving = reserveReply(deps.budgets, exchange, reply);
    if (reserving) await reserving;
  } catch (error) {
    exchange.responseRoom?.release();
    exchange.responseRoom = null;
    if (!exchange.charged) await deps.limits.prepare(exchange.payer, exchange.meta.now);
    reply = refuse(deps, exchange, error);
  }
  logRequest(deps, exchange, {
    method: c.req.method,
    route: routeOf(c),
    status: reply.status,
    ms: performance.now() - started,
  });
  const sent = send(exchange, reply);
  exchange.room?.release();
  return sent;
}

/** Turns a thrown error into a complete response. */
export function refuse(deps: HttpDeps, exchange: Begun, error: unknown): TextReply {
  const cause = chargeRefused(deps, exchange, error);
  const { status, headers, body } = toErrorResponse(cause, exchange.meta, deps.log);
  const length = Buffer.byteLength(body);
  return { status, headers: { ...jsonHeaders(length), ...exchange.headers, ...headers }, body };
}
