import { createServer, type IncomingHttpHeaders } from 'node:http';

/** A received call. */
export interface Call {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The receiver of webhooks in a test. */
export interface Receiver {
  readonly url: string;
  /** The calls so far. */
  readonly calls: readonly Call[];
  /** The response to calls from now on. */
  response: { status: number; body: string; headers?: Record<string, string> };
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      calls.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      const { status, body, headers } = receiver.response;
      response.writeHead(status, { 'x-receiver': 'of the test', ...headers }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const receiver: Receiver = {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    calls,
    response: { status: 200, body: 'ok' },
    stop: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
  return receiver;
}
