import { join } from 'node:path';
import type { EndpointOutput } from '@hubline/contract';
import { onTestFinished } from 'vitest';
import { openPostgres } from '../../src/db/postgres/postgres-store.ts';
import { openSqlite } from '../../src/db/sqlite/sqlite-store.ts';
import type { Store } from '../../src/db/core/store.ts';
import type { BodyOf } from '../api/support/api.ts';
import { newWorkspace, type TestWorkspace } from '../api/support/workspace.ts';
import { type Receiver, type ReceivedCall, startReceiver } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';

export type Delivery = EndpointOutput<'deliveries.get'>;
type Status = Delivery['status'];

/** A receiver for one test. */
export async function receiver(response?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const started = await startReceiver(response);
  onTestFinished(() => started.stop());
  return started;
}

/** A receiver that responds with these statuses, one after another, and repeats the last. */
export function responding(...statuses: number[]): Promise<Receiver> {
  let index = -1;
  return receiver(() => ({ status: statuses[Math.min((index += 1), statuses.length - 1)] ?? 200 }));
}

/** A receiver that holds every call until the test gives the response. */
export async function holding(): Promise<
  Receiver & { waiting: () => number; respond: (status: number) => void }
> {
  const held: ((response: { status: number }) => void)[] = [];
  const started = await receiver(() => new Promise((resolve) => held.push(resolve)));
  return Object.assign(started, {
    waiting: () => held.length,
    respond: (status: number) => {
      for (const release of held.splice(0)) release({ status });
    },
  });
}

/**
 * A URL at which nobody listens: Linux never picks this port for a socket that asks for any. A port that was free a
 * moment ago might be taken again.
 */
export const NOBODY = 'http://127.0.0.1:65535';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export function newWebhook(
  { api, workspaceId }: TestWorkspace,
  url: string,
  values: Partial<BodyOf<'webhooks.create'>> = {},
) {
  return api.call('webhooks.create', {
    body: { workspace_id: workspaceId, url, events: ['event.created'], secret: SECRET, ...values },
  });
}

/** A workspace of its own with a webhook to that URL. */
export async function subscribe(
  root: TestWorkspace,
  url: string,
): Promise<TestWorkspace & { webhookId: string }> {
  const workspace = await newWorkspace(root);
  return { ...workspace, webhookId: (await newWebhook(workspace, url)).id };
}

export function publish({ api, workspaceId }: TestWorkspace, payload: Record<string, unknown> = {}) {
  return api.call('events.publish', { params: { id: workspaceId }, body: { type: 'push', payload } });
}

export async function deliveriesOf({ api, workspaceId }: TestWorkspace): Promise<Delivery[]> {
  const { data } = await api.call('deliveries.list', {
    params: { id: workspaceId },
    query: { limit: '100' },
  });
  return Promise.all(data.map(({ id }) => read({ api }, id)));
}

export const read = ({ api }: Pick<TestWorkspace, 'api'>, deliveryId: string): Promise<Delivery> =>
  api.call('deliveries.get', { params: { deliveryId } });

/** Publishes an event, and finds its one delivery. */
export async function deliver(workspace: TestWorkspace): Promise<Delivery> {
  await publish(workspace);
  const [delivery] = await deliveriesOf(workspace);
  if (!delivery) throw new Error('The event was delivered to nobody.');
  return delivery;
}

/** Waits until a delivery has that status and that many attempts. */
export function reaches(
  workspace: TestWorkspace,
  deliveryId: string,
  expected: { status: Status; attempts?: number },
): Promise<Delivery> {
  return until(`a delivery that is ${JSON.stringify(expected)}`, async () => {
    const delivery = await read(workspace, deliveryId);
    const { status, attempts = delivery.attempt_count } = expected;
    return delivery.status === status && delivery.attempt_count === attempts && delivery;
  });
}

/**
 * Waits for a delivery to a separate webhook. The engine looks at all due deliveries in the same step: one that it has not begun
 * by then is not due.
 */
export async function fence(workspace: TestWorkspace): Promise<void> {
  const { url } = await receiver();
  const other = await subscribe(workspace, url);
  await reaches(other, (await deliver(other)).id, { status: 'delivered' });
}

/** The server's own database, to change it as another process would. */
export function openStore({ server: { storage } }: TestWorkspace): Store {
  const store =
    storage.databaseUrl === undefined
      ? openSqlite(join(storage.data ?? '', 'hubline.db'), { synchronous: 'NORMAL' })
      : openPostgres(storage.databaseUrl);
  onTestFinished(() => store.close());
  return store;
}

export const header = (call: ReceivedCall | undefined, name: string): string => {
  const value = call?.headers[name];
  return typeof value === 'string' ? value : '';
};
