import { createServer } from 'node:http';

/** Where webhooks call in a test. */
export interface Receiver {
  readonly url: string;
  /** What it answers from now on. */
  answer: { status: number; body: string };
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(receiver.answer.status, { 'x-receiver': 'of the test' }).end(receiver.answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const receiver: Receiver = {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    answer: { status: 200, body: 'ok' },
    stop: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
  return receiver;
}
