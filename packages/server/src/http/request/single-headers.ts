import { type ErrorCode, HEADERS } from '@hubline/contract';
import type { Incoming } from '../front/open-requests.ts';
import { Fault } from '../../domain/faults/fault.ts';
import { DASHBOARD_HEADER } from './session-cookie.ts';

// Headers that decide on the caller, the end or the effect of a request. Of two, Node keeps the first, the last or
// both, depending on the name, and a proxy in front may keep the other one.
const ONCE = new Map<string, ErrorCode>(
  [
    'Host',
    HEADERS.authorization,
    'Cookie',
    'Content-Length',
    'Content-Type',
    'Content-Encoding',
    'Transfer-Encoding',
    HEADERS.idempotencyKey,
    HEADERS.lastEventId,
    HEADERS.errorFormat,
    DASHBOARD_HEADER,
    'Sec-Fetch-Site',
  ].map((name) => [name.toLowerCase(), name === HEADERS.authorization ? 'unauthorized' : 'invalid_request']),
);

const NONE: ReadonlySet<string> = new Set();

/** Headers of a request that came more than once, by their names in lower case. */
export function repeatedHeaders({
  headers,
  rawHeaders,
}: Pick<Incoming, 'headers' | 'rawHeaders'>): ReadonlySet<string> {
  let names = 0;
  for (const _ in headers) names += 1;
  if (names * 2 === rawHeaders.length) return NONE;
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }
  return repeated;
}

/** Refuses a request that repeats a header that may come only once. */
export function faultOfRepeated(incoming: Incoming): Fault | null {
  for (const name of repeatedHeaders(incoming)) {
    const code = ONCE.get(name);
    if (code !== undefined) return new Fault(code, `Send one ${name} header, not several.`);
  }
  return null;
}
