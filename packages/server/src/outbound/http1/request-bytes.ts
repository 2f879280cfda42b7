import { HEADER_NAME, NOT_IN_VALUE } from './header-syntax.ts';
import { TransportError } from '../failures/transport-error.ts';

/** A request to write. */
export interface RequestParts {
  method: string;
  /** A checked URL. */
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: Buffer | null;
}

// The connection's own, which this module writes.
const OWN: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
// A longer body is not copied to stand behind its head.
const COPIED_BYTES = 64 * 1024;

const targets = new WeakMap<URL, string>();

/** The parts of the head that depend on the URL alone, made once for all calls of a webhook: a `URL` builds its parts on every access. */
function targetOf(url: URL): string {
  let target = targets.get(url);
  if (target === undefined) {
    target = ` ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: keep-alive\r\n`;
    targets.set(url, target);
  }
  return target;
}

/** A request as bytes: one part, or its head and its body. Throws `TransportError` for a header that HTTP forbids. */
export function requestBytes({ method, url, headers, body }: RequestParts): readonly Buffer[] {
  let head = method + targetOf(url);
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (!HEADER_NAME.test(name) || NOT_IN_VALUE.test(value) || OWN.has(name.toLowerCase()))
      throw new TransportError('ERR_INVALID_REQUEST');
    head += `${name}: ${value}\r\n`;
  }
  const length = body?.length ?? 0;
  if (body !== null || (method !== 'GET' && method !== 'HEAD')) head += `Content-Length: ${length}\r\n`;
  head += '\r\n';
  if (body === null || length > COPIED_BYTES)
    return [Buffer.from(head, 'latin1'), ...(body === null ? [] : [body])];
  const bytes = Buffer.allocUnsafe(head.length + length);
  bytes.write(head, 'latin1');
  body.copy(bytes, head.length);
  return [bytes];
}
