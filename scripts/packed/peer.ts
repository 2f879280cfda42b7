/** The server that packages/sdk/test/runtimes/exercise.ts calls. Any number of programs may use it at once. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

export interface Peer extends AsyncDisposable {
  readonly baseURL: string;
}

/** The attempts of each write, by its idempotency key, and of each flaky path. */
const attempts = new Map<string, number>();

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1' });
  response.end(JSON.stringify(body));
};

/** The first response to a key is a 503; the second repeats the body that arrived. */
async function create(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const key = String(request.headers['idempotency-key']);
  const count = (attempts.get(key) ?? 0) + 1;
  attempts.set(key, count);
  if (count === 1) json(response, 503, { error: { code: 'service_unavailable', message: 'Later.' } });
  else json(response, 201, { attempts: count, body });
}

/** Breaks off after two events; a client that resumes gets the third. */
function stream(request: IncomingMessage, response: ServerResponse): void {
  const ids = request.headers['last-event-id'] === 'evt_2' ? ['evt_3'] : ['evt_1', 'evt_2'];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(ids.map((id) => `id: ${id}\ndata: {"event_id":"${id}"}\n\n`).join(''));
}

/** Responds in gzip with the encodings that the client accepts. */
function encoded({ headers }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  response.end(gzipSync(JSON.stringify({ accepted: headers['accept-encoding'] })));
}

/** Breaks the connection of the first request to a path; tells the second how many requests there were. */
function flaky({ socket }: IncomingMessage, path: string, response: ServerResponse): void {
  const count = (attempts.get(path) ?? 0) + 1;
  attempts.set(path, count);
  if (count === 1) socket.destroy();
  else json(response, 200, { requests: count });
}

function list({ searchParams }: URL, response: ServerResponse): void {
  const last = searchParams.get('cursor') === 'next';
  const data = (last ? ['ws_3'] : ['ws_1', 'ws_2']).map((id) => ({ id }));
  json(response, 200, { data, pagination: { next_cursor: last ? null : 'next', has_more: !last } });
}

function serve(request: IncomingMessage, response: ServerResponse): unknown {
  const url = new URL(request.url ?? '/', 'http://peer');
  if (url.pathname.startsWith('/v1/flaky/')) return flaky(request, url.pathname, response);
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /v1/workspaces':
      return list(url, response);
    case 'POST /v1/workspaces':
      return create(request, response);
    case 'GET /v1/workspaces/ws_1/events/stream':
      return stream(request, response);
    case 'GET /v1/workspaces/ws_1/audit-log':
      return response.writeHead(200, { 'content-type': 'text/csv' }).end('id,action\naud_1,é\n');
    case 'GET /v1/encoded':
      return encoded(request, response);
    case 'GET /v1/redirect':
      return response.writeHead(302, { location: '/v1/workspaces' }).end();
    case 'GET /v1/hang':
      return undefined;
    default:
      return json(response, 404, { error: { code: 'not_found', message: 'Gone.', request_id: 'req_1' } });
  }
}

export async function startPeer(): Promise<Peer> {
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
