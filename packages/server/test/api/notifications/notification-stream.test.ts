import { type EndpointOutput, HEADERS } from '@hubline/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { type MessageStream, openStream } from '../support/message-stream.ts';
import {
  join,
  newKey,
  newStranger,
  newWorkspace,
  type TestWorkspace,
  startWorkspace,
} from '../support/workspace.ts';
import { until } from '../support/until.ts';

type Change = EndpointOutput<'notifications.stream'>;
type Stream = MessageStream<Change>;

let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;

beforeAll(async () => {
  root = await startWorkspace();
});
afterAll(() => root.stop());
beforeEach(async () => {
  workspace = await newStranger(root);
});

const open = (api: Api = workspace.api, opening: Parameters<typeof openStream>[2] = {}): Promise<Stream> =>
  openStream(api, '/me/notifications/stream', opening);

const arrived = (stream: Stream, count: number) =>
  until(`${count} messages`, () => stream.messages.length >= count && stream.messages);

/** Waits for that many notifications. A message with only the number may come before each of them. */
const notified = (stream: Stream, count: number) =>
  until(`${count} notifications`, () => {
    const found = stream.messages.filter(({ id }) => id !== '');
    return found.length >= count && found;
  });

const told = ({ messages }: Stream) =>
  messages.map(({ data }) => [data.notification?.title ?? null, data.unread]);

async function newRule(destination: object): Promise<string> {
  const body = {
    name: 'Tell',
    notify_on: ['event.created'],
    destinations: [{ kind: 'in_app', ...destination }],
    template_id: null,
  };
  return (
    await workspace.api.call('notificationRules.create', { params: { id: workspace.workspaceId }, body })
  ).id;
}

const publish = (title: string, where = workspace) =>
  where.api.call('events.publish', {
    params: { id: where.workspaceId },
    body: { type: 'alert', payload: { title } },
  });

it('a stream sends the number of unread notifications, then each as it comes, and the number after some are read elsewhere', async () => {
  await newRule({ roles: ['owner'] });
  const stream = await open();
  await arrived(stream, 1);
  await publish('first');
  await notified(stream, 1);
  await publish('second');
  const [first, second] = await notified(stream, 2);
  expect([...new Set(told(stream).map(([, unread]) => unread))]).toEqual([0, 1, 2]);
  const { data } = await workspace.api.call('notifications.list');
  expect([second?.data.notification, first?.data.notification]).toEqual(data);
  expect(new Set(stream.messages.map(({ name }) => name))).toEqual(new Set(['notification']));
  expect(stream.messages[0]?.id).toBe('');
  const sent = stream.messages.flatMap(({ id }) => (id === '' ? [] : [id]));
  expect(sent).toEqual([data[1]?.id, data[0]?.id]);
  const before = stream.messages.length;

  await workspace.api.call('notifications.update', {
    params: { notificationId: data[0]?.id ?? '' },
    body: { read: true },
  });
  await arrived(stream, before + 1);
  await workspace.api.call('notifications.readAll', { body: {} });
  await arrived(stream, before + 2);
  expect(told(stream).slice(before)).toEqual([
    [null, 1],
    [null, 0],
  ]);
});

it('a stream that is opened again misses nothing and repeats nothing', async () => {
  // One second in the past, because a notification of the same millisecond would not come after `since`.
  const before = new Date(Date.now() - 1_000).toISOString();
  await newRule({ roles: ['owner'] });
  const lost = await open();
  await publish('seen');
  const [seen] = await notified(lost, 1);
  lost.close();
  for (let index = 0; index < 20; index++) await publish(`missed ${index}`);
  await until('all to be told', async () => {
    return (await workspace.api.call('notifications.unread')).unread === 21;
  });
  const back = await open(workspace.api, { lastEventId: seen?.id });
  await arrived(back, 20);
  const { data } = await workspace.api.call('notifications.list', { query: { limit: '100' } });
  const ids = data.map(({ id }) => id).toReversed();
  expect(back.messages.map(({ id }) => id)).toEqual(ids.slice(1));
  expect(back.messages.map(({ data: { unread } }) => unread)).toEqual(Array(20).fill(21));

  const since = await open(workspace.api, { query: { since: before } });
  await arrived(since, 21);
  expect(since.messages.map(({ id }) => id)).toEqual(ids);
  for (const id of ['x', '', 'evt_00000000000000000000000000']) {
    const headers = { [HEADERS.lastEventId]: id };
    expect((await workspace.api.send('notifications.stream', { headers })).status).toBe(400);
  }
});

it('a stream has the notifications of its user alone, in the workspaces that its key sees', async () => {
  const mona = await join(workspace, 'viewer');
  const other = await newWorkspace(root);
  await newRule({ user_ids: [mona.userId] });
  const [own, elsewhere] = [await open(mona.own), await open()];
  const narrowed = await open(workspace.api, { query: { workspace_id: workspace.workspaceId } });
  await arrived(elsewhere, 1);
  await arrived(narrowed, 1);
  await publish('for mona');
  const [forMona] = await notified(own, 1);
  expect(forMona?.data.unread).toBe(1);
  expect([told(elsewhere), told(narrowed)]).toEqual([[[null, 0]], [[null, 0]]]);
  const query = { workspace_id: other.workspaceId };
  expect((await mona.own.send('notifications.stream', { query })).status).toBe(404);
});

it('a stream ends at once when its key is revoked, and when its user may no longer read notifications', async () => {
  const params = { id: workspace.workspaceId };
  const doomed = await newKey(workspace, { scopes: ['notifications:read'] });
  const narrowed = await newKey(workspace, { scopes: ['notifications:read'] });
  const streams = [
    await open(workspace.api.as(doomed.key)),
    await open(workspace.api.as(narrowed.key)),
  ] as const;
  await workspace.api.call('apiKeys.revoke', { params: { ...params, keyId: doomed.id } });
  await streams[0].ended;
  await workspace.api.call('apiKeys.update', {
    params: { ...params, keyId: narrowed.id },
    body: { scopes: ['members:read'] },
  });
  await streams[1].ended;

  const mona = await join(workspace, 'viewer');
  const stream = await open(mona.own);
  await workspace.api.call('members.remove', { params: { ...params, userId: mona.userId } });
  await stream.ended;
});
