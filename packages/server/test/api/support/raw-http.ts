import { connect } from 'node:net';
import type { Answer } from './api.ts';

const DEADLINE_MS = 10_000;

/** The result of a connection. */
export interface RawResult {
  /** Every response, in order. */
  answers: Answer[];
  /** True when the server closed the connection. */
  closed: boolean;
}

interface RawOptions {
  /** Keeps the connection until this many responses have come. Default: until the server closes it. */
  responses?: number;
  /** Happens after the bytes are sent. */
  afterwards?: 'end' | 'destroy';
  /** Gives up waiting for more after this long: the bytes may be half a request. */
  patienceMs?: number;
}

/**
 * Sends bytes as they are, and reads whatever comes back: for requests that no HTTP client would send. `\n` in a text
 * stands for CR LF; write `\u000a` nowhere, give a `Buffer` instead.
 */
export async function raw(
  url: string,
  request: string | Buffer,
  options: RawOptions = {},
): Promise<RawResult> {
  const { hostname, port } = new URL(url);
  const bytes = typeof request === 'string' ? Buffer.from(request.replaceAll('\n', '\r\n')) : request;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = Buffer.alloc(0);
    let settled = false;
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No answer within ${DEADLINE_MS} ms; so far: ${received.toString('latin1')}`));
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
        resolve({ answers: parseAnswers(received), closed });
      } catch (error) {
        reject(error);
      }
    };
    socket.on('connect', () => {
      socket.write(bytes, () => {
        if (options.afterwards === 'end') socket.end();
        if (options.afterwards === 'destroy') {
          socket.destroy();
          finish(true);
        }
      });
    });
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (options.responses !== undefined && parseAnswers(received).length >= options.responses)
        finish(false);
    });
    // The server may reset the connection after its answer; only what arrived before counts.
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
  });
}

function parseAnswers(received: Buffer): Answer[] {
  const answers: Answer[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return answers;
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = new Headers();
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    const length = Number(headers.get('content-length') ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length < length) return answers;
    const status = Number(statusLine.split(' ')[1]);
    if (status >= 200) {
      const text = body.toString();
      const isJson = headers.get('content-type')?.startsWith('application/json') === true && text !== '';
      answers.push({ status, headers, text, json: isJson ? (JSON.parse(text) as unknown) : undefined });
    }
    rest = rest.subarray(end + 4 + length);
  }
}
