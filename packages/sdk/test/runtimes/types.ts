/** Imports that each kind of project must resolve, and the types that its compiler must see. */
import { Agent } from 'node:https';
import { Hubline, isAPIError, type Client, type Event, type Transport } from '@hubline/sdk';
import { fetchTransport, Hubline as OverFetch } from '@hubline/sdk/fetch';
import { Hubline as OverKy, kyTransport, type KyTransportOptions } from '@hubline/sdk/ky';
import { Hubline as OverNode, nodeTransport } from '@hubline/sdk/node';
import { unwrap, type WebhookEvent } from '@hubline/sdk/webhooks';

const agent = new Agent({ keepAlive: true });
const options: KyTransportOptions = { cache: 'no-store', next: { revalidate: 60 } };

export const transports: Transport[] = [
  fetchTransport(),
  kyTransport(options),
  // A function in place of `fetch` need not have the members that Bun adds.
  fetchTransport((input, init) => fetch(input, init)),
  kyTransport({ fetch: (input, init) => fetch(input, init) }),
  nodeTransport({ agent: () => agent }),
];

/** The clients of all entry points are interchangeable to the compiler. */
export const clients: Client[] = [new Hubline(), new OverFetch(), new OverKy(), new OverNode()];
export const replaced = new Hubline({ fetch: (input, init) => fetch(input, init) });
export const client: Hubline = new OverFetch().withOptions({ maxRetries: 0 });

export async function typesOf(workspaceId: string): Promise<string[]> {
  const types: string[] = [];
  try {
    for await (const event of client.events.list(workspaceId)) types.push(event.type satisfies Event['type']);
  } catch (error) {
    if (!isAPIError(error, 'not_found')) throw error;
    types.push(error.name satisfies 'NotFoundError', error.requestId ?? '');
  }
  return types;
}

export const receive = (request: Request): Promise<WebhookEvent> =>
  unwrap(request, { secret: 'a long random text' });
