import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookEvent } from '@hubline/webhooks';
import { webhook } from '@hubline/webhooks/node';

/** A receiver that is listening. */
export interface Receiver {
  url: string;
  /** The events it accepted, in the order of their arrival. */
  accepted: WebhookEvent[];
  close(): void;
}

/**
 * An HTTP server that takes only calls signed with your secret, as you would run it. It answers its first call with 500, like an
 * application in the middle of a deployment; Hubline retries that delivery five seconds later.
 */
export async function startReceiver(secret: string): Promise<Receiver> {
  const accepted: WebhookEvent[] = [];
  let calls = 0;
  const receive = webhook({ secret, onError: () => {} }, (event) => {
    calls += 1;
    if (calls === 1) throw new Error('The database of this receiver is not there yet.');
    accepted.push(event);
  });
  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks/hubline`,
    accepted,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
