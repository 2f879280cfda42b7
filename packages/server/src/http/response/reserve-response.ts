import type { Budgets, Reservation } from '../../limits/byte-budget.ts';
import { goneSignal } from './gone-signal.ts';
import type { Exchange } from '../exchange.ts';
import type { Reply } from './reply.ts';

// Node and the kernel buffer this much for a connection anyway.
const SMALL_RESPONSE_BYTES = 64 * 1024;

/** Reserves memory for a large response until it is sent, and releases that of a small one. */
export function reserveReply(
  budgets: Budgets,
  exchange: Exchange,
  reply: Reply,
): Promise<unknown> | undefined {
  if (!('body' in reply) || reply instanceof Response) return undefined;
  const bytes = Number(reply.headers['Content-Length'] ?? 0);
  if (bytes > SMALL_RESPONSE_BYTES)
    return exchange.responseRoom ? undefined : reserveResponse(budgets, exchange, bytes);
  exchange.responseRoom?.release();
  exchange.responseRoom = null;
  return undefined;
}

/** Reserves the memory of a response until it is sent. If there is none, waits briefly, then throws 503. */
export async function reserveResponse(
  { responses }: Budgets,
  exchange: Exchange,
  bytes: number,
): Promise<Reservation> {
  const { holder, outgoing } = exchange;
  const now = responses.take(holder, bytes);
  return (exchange.responseRoom = now ?? (await responses.reserve(holder, bytes, goneSignal(outgoing))));
}
