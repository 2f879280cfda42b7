/**
 * A project that has installed the published packages. It publishes an event, and verifies the call that follows.
 * scripts/rehearse.ts runs it as an ES module, as CommonJS and compiled by TypeScript, against a server that npx has started.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hubline } from '@hubline/sdk';
import { webhook } from '@hubline/webhooks/node';

async function main(): Promise<void> {
  const client = new Hubline({
    apiKey: process.env['HUBLINE_API_KEY'],
    baseURL: process.env['HUBLINE_BASE_URL'],
  });
  const [workspace] = await client.workspaces.list().toArray({ limit: 1 });
  if (!workspace) throw new Error('The key sees no workspace.');

  const secret = 'a-secret-of-the-rehearsal';
  const { promise: received, resolve, reject } = Promise.withResolvers<string>();
  const receive = webhook({ secret, onError: reject }, (event) => {
    if (event.type === 'event.created') resolve(event.data.event_id);
  });
  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const { port } = server.address() as AddressInfo;
  const { id } = await client.webhooks.create({
    workspace_id: workspace.id,
    url: `http://127.0.0.1:${port}/hook`,
    events: ['event.created'],
    secret,
  });
  const event = await client.events.publish(workspace.id, { type: 'deploy', payload: { version: '1.4.2' } });
  const verified = await received;
  await client.webhooks.delete(id);
  server.close();
  server.closeAllConnections();
  if (verified !== event.event_id) throw new Error(`${verified} was delivered, not ${event.event_id}`);
  console.log(`published and verified ${verified}`);
}

void main();
