import { HEADERS, LIMITS } from '@hubline/contract';
import type { Incoming } from '../front/open-requests.ts';
import { invalid } from '../../domain/faults/fault.ts';

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** The `Idempotency-Key` of a request; quoted (IETF draft) and bare are the same key. Two of them arrive joined by a space. */
export function idempotencyKeyOf(incoming: Incoming): string | undefined {
  const header = incoming.headers[HEADERS.idempotencyKey.toLowerCase()];
  if (header === undefined) return undefined;
  const text = String(header);
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (key.length > LIMITS.idempotencyKeyMax || !VISIBLE_ASCII.test(key)) {
    throw invalid(
      HEADERS.idempotencyKey,
      `must be 1 to ${LIMITS.idempotencyKeyMax} visible ASCII characters, given once`,
    );
  }
  return key;
}
