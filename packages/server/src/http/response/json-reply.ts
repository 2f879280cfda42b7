import { bytesOf, type JsonPiece } from '../../domain/json/encoded.ts';
import type { WholeReply } from './reply.ts';

// States the length, because the response to HEAD has no body to take it from.
export const jsonHeaders = (bytes: number): Record<string, string> => ({
  'Content-Type': 'application/json',
  'Content-Length': String(bytes),
  'Cache-Control': 'no-store',
});

/** A successful JSON response. */
export function jsonReply(
  { headers }: Pick<WholeReply, 'headers'>,
  status: number,
  body: string | readonly JsonPiece[],
): WholeReply {
  if (status === 204) return { status, headers, body: '' };
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : bytesOf(body);
  const all = jsonHeaders(bytes);
  // Half the cost of a spread that is not the first in its object literal (measured).
  for (const name in headers) all[name] = headers[name] as string;
  return { status, headers: all, body };
}
