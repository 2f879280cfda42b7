import { HEADERS } from '@hubline/contract';
import type { Context as HonoContext } from 'hono';
import type { Incoming, Outgoing } from './front/open-requests.ts';
import type { Deps } from '../context.ts';
import type { Reservation } from '../limits/byte-budget.ts';
import { clientNetwork } from '../limits/client-network.ts';
import type { Idempotency } from '../services/idempotency.ts';
import type { KeyUsage } from '../services/identity/key-usage.ts';
import type { RequestIds } from './request-log.ts';
import type { Payer, RequestLimits } from './request-limits.ts';
import type { BodyReader, Upload } from './request/body-reader.ts';
import type { RequestMeta } from './request/request.ts';

/** The request and the response behind those of Hono. */
export interface Bindings {
  incoming: Incoming;
  outgoing: Outgoing;
}

/** Hono's context, with the request itself behind it. */
export type HttpContext = HonoContext<{ Bindings: Bindings }>;

/** The parts that routes need besides the server's own. */
export interface HttpDeps extends Deps {
  readonly idempotency: Idempotency;
  readonly keyUsage: KeyUsage;
  readonly bodies: BodyReader;
  readonly limits: RequestLimits;
  /** The longest time for which a client may read nothing of a large response or a stream, in milliseconds. */
  readonly stallMs: number;
}

/** A request that is being handled: each step adds what it finds. */
export interface HandledRequest extends Upload {
  readonly incoming: Incoming;
  readonly outgoing: Outgoing;
  readonly meta: RequestMeta;
  /** Headers of the response, set before it is made: adding them afterward triples the cost of a request. */
  readonly headers: Record<string, string>;
  /** The payer of a request that fails before its workspace is known. */
  payer: Payer;
  /** The payer that has been charged. */
  charged: Payer | null;
  /** The IDs that may be logged, as they become known. */
  readonly ids: RequestIds;
  /** The memory reserved for the response. */
  responseRoom: Reservation | null;
  /**
   * The longest time for which its client may read nothing of a large response or a stream, in milliseconds.
   */
  readonly stallMs: number;
}

/** The parts of it that need no request: bytes that never became one are charged and logged, too. */
export type RequestState = Omit<HandledRequest, 'incoming' | 'outgoing' | 'stallMs'>;

/** Makes the state of a new request. The client's address pays until another payer is known. */
export function newRequestState(meta: RequestMeta): RequestState {
  const name = clientNetwork(meta.ip);
  return {
    meta,
    // No browser may guess another type for a response, whatever strangers have written into it.
    headers: { [HEADERS.requestId]: meta.id, 'X-Content-Type-Options': 'nosniff' },
    payer: { kind: 'address', name },
    charged: null,
    holder: name,
    ids: {},
    room: null,
    responseRoom: null,
  };
}

/** A new request, from the one behind Hono. */
export function handledRequest(
  { stallMs }: HttpDeps,
  { incoming, outgoing }: Bindings,
  meta: RequestMeta,
): HandledRequest {
  const { headers, payer, charged, holder, ids, room, responseRoom } = newRequestState(meta);
  // Named one by one: V8 copies a spread member by member unless it is the first in its object literal.
  return { incoming, outgoing, stallMs, meta, headers, payer, charged, holder, ids, room, responseRoom };
}
