import { Fault } from '../../domain/faults/fault.ts';
import type { Budgets, Reservation } from '../../limits/byte-budget.ts';
import type { HandledRequest } from '../handled-request.ts';
import type { Reply } from './reply.ts';
import { whenGone } from './when-gone.ts';

// Node and the kernel buffer this much for a connection anyway.
const SMALL_RESPONSE_BYTES = 64 * 1024;

/** Reserves memory for a large response until it is sent, and releases that of a small one. */
export function reserveReply(
  budgets: Budgets,
  handled: HandledRequest,
  reply: Reply,
): Promise<unknown> | undefined {
  if (!('body' in reply) || reply instanceof Response) return undefined;
  const bytes = Number(reply.headers['Content-Length'] ?? 0);
  if (bytes > SMALL_RESPONSE_BYTES)
    return handled.responseRoom ? undefined : reserveResponse(budgets, handled, bytes);
  handled.responseRoom?.release();
  handled.responseRoom = null;
  return undefined;
}

/** Reserves the memory of a response until it is sent. If there is none, waits briefly, then throws 503. */
export async function reserveResponse(
  { responses }: Budgets,
  handled: HandledRequest,
  bytes: number,
): Promise<Reservation> {
  const { holder, outgoing } = handled;
  const reserving = responses.reserve(holder, bytes, whenGone(outgoing, wentAway));
  return (handled.responseRoom = await reserving);
}

const wentAway = () => new Fault('invalid_request', 'The client went away.');
