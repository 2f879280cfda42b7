import type { Hubline } from '@hubline/sdk';
import { apiOf } from './api-of.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { startServer, type TestServer } from './start-server.ts';

/** A server whose events go to a webhook, and the receiver that it calls. */
interface Receiving {
  server: TestServer;
  api: Hubline;
  receiver: Receiver;
  webhookId: string;
  stop(): Promise<unknown>;
}

export async function startReceiving(): Promise<Receiving> {
  const [server, receiver] = await Promise.all([startServer(), startReceiver()]);
  const api = apiOf(server);
  const { id: webhookId } = await api.webhooks.create({
    workspace_id: server.workspaceId,
    url: `${receiver.url}/hook`,
    events: ['event.created'],
    secret: 'a secret of sixteen',
  });
  return {
    server,
    api,
    receiver,
    webhookId,
    stop: () => Promise.all([server.stop(), receiver.stop()]),
  };
}
