import { connect } from 'node:net';
import type { ReadResponse } from './api.ts';

const DEADLINE_MS = 10_000;

/** The result of a connection. */
export interface RawResult {
  /** Every response, in order. */
  responses: ReadResponse[];
  /** True when the server closed the connection. */
  closed: boolean;
}

interface RawOptions {
  /** Keeps the connection until this many responses have come. Default: until the server closes it. */
  responses?: number;
  /** Ends or destroys the connection after the bytes are sent. */
  afterward?: 'end' | 'destroy';
  /** Gives up waiting for more after this long: the bytes may be half a request. */
  patienceMs?: number;
}

/**
 * Sends bytes as they are, and reads whatever comes back: for requests that no HTTP client would send. In a text, `\n`
 * stands for CR LF. For a bare LF, pass a `Buffer`.
 */
export async function raw(
  url: string,
  request: string | Buffer,
  options: RawOptions = {},
): Promise<RawResult> {
  const { hostname, port } = new URL(url);
  const bytes = typeof request === 'string' ? Buffer.from(request.replaceAll('\n', '\r\n')) : request;
  const head = isHead(bytes);
  const responsesIn = (received: Buffer) => parseResponses(received, head);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = Buffer.alloc(0);
    let settled = false;
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No response within ${DEADLINE_MS} ms; so far: ${received.toString('latin1')}`));
    }, DEADLINE_MS);
    const patience =
      options.patienceMs === undefined ? undefined : setTimeout(() => finish(false), options.patienceMs);
    const finish = (closed: boolean) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      clearTimeout(patience);
      socket.destroy();
      try {
        resolve({ responses: responsesIn(received), closed });
      } catch (error) {
        reject(error);
      }
    };
    socket.on('connect', () => {
      socket.write(bytes, () => {
        if (options.afterward === 'end') socket.end();
        if (options.afterward === 'destroy') {
          socket.destroy();
          finish(true);
        }
      });
    });
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (options.responses !== undefined && responsesIn(received).length >= options.responses) finish(false);
    });
    // The server may reset the connection after its response; only what arrived before counts.
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
  });
}

/** Reports whether the first request in these bytes is a HEAD. */
export const isHead = (bytes: Buffer): boolean => /^\s*HEAD\s/.test(bytes.toString('latin1', 0, 100));

/** Parses the responses that are complete. `head`: the first one has the length of a body that does not follow. */
function parseResponses(received: Buffer, head: boolean): ReadResponse[] {
  const responses: ReadResponse[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return responses;
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = new Headers();
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    const bodiless = head && responses.length === 0;
    const length = bodiless ? 0 : Number(headers.get('content-length') ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length < length) return responses;
    const status = Number(statusLine.split(' ')[1]);
    if (status >= 200) {
      const text = body.toString();
      const isJson = headers.get('content-type')?.startsWith('application/json') === true && text !== '';
      responses.push({ status, headers, text, json: isJson ? (JSON.parse(text) as unknown) : undefined });
    }
    rest = rest.subarray(end + 4 + length);
  }
}
