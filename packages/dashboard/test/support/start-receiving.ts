import type { Hubline } from '@hubline/sdk';
import { apiOf } from './api-of.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type Place, startServer } from './start-server.ts';

/** A server whose events go to a webhook, and the receiver that it calls. */
interface Receiving {
  place: Place;
  api: Hubline;
  receiver: Receiver;
  webhookId: string;
  stop(): Promise<unknown>;
}

export async function startReceiving(): Promise<Receiving> {
  const [place, receiver] = await Promise.all([startServer(), startReceiver()]);
  const api = apiOf(place);
  const { id: webhookId } = await api.webhooks.create({
    workspace_id: place.workspaceId,
    url: `${receiver.url}/hook`,
    events: ['event.created'],
    secret: 'a secret of sixteen',
  });
  return {
    place,
    api,
    receiver,
    webhookId,
    stop: () => Promise.all([place.stop(), receiver.stop()]),
  };
}
