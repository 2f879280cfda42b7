import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request that came in. */
export interface Received {
  readonly method: string;
  /** Below the base URL, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A response to give; `undefined` is 404. */
interface FakeResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Replaces `body`, for text that is not JSON. */
  readonly text?: string;
}

/** A server that responds as a test says, for behavior that a real one does not have: to break, to stall, to send hostile text. */
export async function fakeApi(respond: (request: Received) => FakeResponse | undefined) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const text = Buffer.concat(chunks).toString('utf8');
      const found: Received = {
        method: request.method ?? '',
        path: url.pathname.replace(/^\/v1/, ''),
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      };
      received.push(found);
      const {
        status = 200,
        headers = {},
        body,
        text: raw,
      } = respond(found) ?? errorResponse(404, 'not_found');
      response.writeHead(status, {
        'content-type': 'application/json',
        'x-request-id': 'req_test',
        ...headers,
      });
      response.end(body === undefined ? raw : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    received,
    env: {
      HUBLINE_BASE_URL: `http://127.0.0.1:${port}/v1`,
      HUBLINE_API_KEY: 'hl_test',
      HUBLINE_WORKSPACE: WORKSPACE,
    },
  };
}

/** A well-formed workspace ID. */
export const WORKSPACE = 'ws_06f8xw2b3c4d5e6f7g8h9j0kmn';

/** An error in the form of the specification. */
export function errorResponse(status: number, code: string, details: readonly unknown[] = []): FakeResponse {
  return { status, body: { error: { code, message: `It is ${code}.`, details, request_id: 'req_test' } } };
}

/** A page of a list. */
export function pageResponse(data: readonly unknown[], next: string | null = null): FakeResponse {
  return { body: { data, pagination: { next_cursor: next, has_more: next !== null } } };
}
