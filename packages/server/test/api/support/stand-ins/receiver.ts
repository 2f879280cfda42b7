import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A call that was received. */
export interface ReceivedCall {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body as received. */
  bytes: Buffer;
}

/** The response to a call. */
export interface ReceiverResponse {
  status: number;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  text?: string;
}

/** A server on the loopback that stands in for the outside world. */
export interface Receiver extends AsyncDisposable {
  url: string;
  calls: ReceivedCall[];
  stop(): Promise<void>;
}

/** Starts a receiver. `respond` decides the response. Default: status 200. */
export async function startReceiver(
  respond: (call: ReceivedCall) => ReceiverResponse | Promise<ReceiverResponse> = () => ({ status: 200 }),
): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => void handle(request, response));
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request);
    const call = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: bytes.toString(),
      bytes,
    };
    calls.push(call);
    const { status, headers, body, text } = await respond(call);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(text ?? (body === undefined ? '' : JSON.stringify(body)));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
