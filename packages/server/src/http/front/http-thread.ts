/** The program of the HTTP thread. It accepts connections, speaks TLS and HTTP, and passes requests to the main thread. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FromSockets, Refusal } from './frames.ts';
import { type FromThread, type FrontSettings, inBatches, type ToThread } from './messages.ts';
import { Relay } from './relay.ts';
import { createNodeServer } from './node-server.ts';

const port = parentPort;
if (!port) throw new Error('The HTTP thread is not the main thread.');
const post = (message: FromThread) => port.postMessage(message);

const refused = new Map<number, (reply: Refusal) => void>();
let refusals = 0;

const relay = new Relay({ send: inBatches<FromSockets>(post), copies: true });
const server = createNodeServer({
  ...(workerData as FrontSettings),
  accept: (incoming, outgoing) => relay.accept(incoming, outgoing),
  refuse: (address, code) =>
    new Promise((resolve) => {
      refused.set((refusals += 1), resolve);
      post({ refuse: { address, code }, of: refusals });
    }),
  onError: (error, what) => post({ error, what }),
});

port.on('message', (message: ToThread) => {
  if (message === 'close') void server.close().then(() => post('closed'));
  else if ('listen' in message) void listen(message.listen);
  else if ('swap' in message) server.swapCertificate(message.swap);
  else if ('refusal' in message) {
    refused.get(message.of)?.(message.refusal);
    refused.delete(message.of);
  } else for (const frame of message) relay.receive(frame);
});

async function listen({ host, port: wanted }: { host: string; port: number }): Promise<void> {
  try {
    post({ listening: await server.listen(host, wanted) });
  } catch (error) {
    // Of an error, only its message and its stack would be copied.
    const { message, code, syscall, address } = error as NodeJS.ErrnoException & { address?: string };
    post({ notListening: { name: 'Error', message, code, syscall, address } as NodeJS.ErrnoException });
  }
}
