import type { Readable } from 'node:stream';
import { Pool } from 'undici';
import { raw } from '../api/support/raw-http.ts';
import type { FuzzRequest } from './generator/make-request.ts';

/** A response of the server. */
export interface FuzzResponse {
  status: number;
  headers: ReadonlyMap<string, string>;
  text: string;
}

/** The reason why there is no response: the connection was closed, or the server was silent. */
export interface NoResponse {
  failure: string;
}

const DEADLINE_MS = 30_000;
// Mutated bytes may be half a request, for the rest of which the server waits.
const RAW_PATIENCE_MS = 50;

/** Sends requests over a few connections that are kept open. */
export class Sender {
  readonly #url: string;
  readonly #pool: Pool;

  constructor(url: string, connections: number) {
    this.#url = url;
    this.#pool = new Pool(url, {
      connections,
      pipelining: 1,
      headersTimeout: DEADLINE_MS,
      bodyTimeout: DEADLINE_MS,
    });
  }

  async send({
    method,
    path,
    headers,
    body,
  }: Pick<FuzzRequest, 'method' | 'path' | 'headers' | 'body'>): Promise<FuzzResponse | NoResponse> {
    try {
      const response = await this.#pool.request({ method, path, headers, body });
      const found = new Map(
        Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
      );
      // A stream has no end to wait for.
      if (found.get('content-type') === 'text/event-stream') {
        return { status: response.statusCode, headers: found, text: await firstMessage(response.body) };
      }
      return { status: response.statusCode, headers: found, text: await response.body.text() };
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      return { failure: code ?? message };
    }
  }

  /** Sends bytes on their own socket. Returns every response. */
  async sendRaw(bytes: Buffer): Promise<FuzzResponse[]> {
    const { responses } = await raw(this.#url, bytes, { responses: 1, patienceMs: RAW_PATIENCE_MS });
    return responses.map(({ status, headers, text }) => ({ status, headers: new Map(headers), text }));
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/** Reads the first message of a stream of events, and closes its connection. */
function firstMessage(body: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    body.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n\n')) body.destroy();
    });
    body.on('error', () => {});
    body.on('close', () => resolve(text));
  });
}
