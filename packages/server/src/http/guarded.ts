import { reserveReply } from './response/reserve-response.ts';
import { toErrorResponse } from './response/errors.ts';
import { jsonHeaders } from './response/json-reply.ts';
import { type Reply, send, type TextReply } from './response/reply.ts';
import { chargeRefused } from './charge.ts';
import {
  type HandledRequest,
  handledRequest,
  type HttpContext,
  type HttpDeps,
  type RequestState,
} from './handled-request.ts';
import { whenPrepared } from '../limits/rate-limiter.ts';
import { logRequest, routeOf } from './request-log.ts';
import { describeRequest, requireHttps } from './request/request.ts';

/** Runs `work` and turns whatever it throws into an error response; every response carries the same base headers. */
export async function guarded(
  deps: HttpDeps,
  c: HttpContext,
  work: (handled: HandledRequest) => Promise<Reply>,
): Promise<Response> {
  const { incoming } = c.env;
  const started = performance.now();
  const handled = handledRequest(deps, c.env, describeRequest(deps, incoming));
  let reply: Reply;
  try {
    requireHttps(deps, incoming);
    reply = await work(handled);
    const reserving = reserveReply(deps.budgets, handled, reply);
    if (reserving) await reserving;
  } catch (error) {
    handled.responseRoom?.release();
    handled.responseRoom = null;
    reply = await whenPrepared(
      () => (handled.charged ? undefined : deps.limits.prepare(handled.payer, handled.meta.now)),
      () => refuse(deps, handled, error),
    );
  }
  logRequest(deps, handled, {
    method: c.req.method,
    route: routeOf(c),
    status: reply.status,
    ms: performance.now() - started,
  });
  const sent = send(handled, reply);
  handled.room?.release();
  return sent;
}

/** Turns a thrown error into a complete response. */
export function refuse(deps: HttpDeps, state: RequestState, error: unknown): TextReply {
  const cause = chargeRefused(deps, state, error);
  const { status, headers, body } = toErrorResponse(cause, state.meta, deps.log);
  const length = Buffer.byteLength(body);
  return { status, headers: { ...jsonHeaders(length), ...state.headers, ...headers }, body };
}
