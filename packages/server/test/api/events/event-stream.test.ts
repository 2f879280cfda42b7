import { HEADERS } from '@hubline/contract';
import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Api } from '../support/api.ts';
import {
  join,
  newKey,
  newStranger,
  newWorkspace,
  onSqlite,
  type TestWorkspace,
  startWorkspace,
} from '../support/workspace.ts';
import { type MessageStream, openStream } from '../support/message-stream.ts';
import { until } from '../support/until.ts';

let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;

beforeAll(async () => {
  root = await startWorkspace({ flags: { httpThread: 'on' } });
});
afterAll(() => root.stop());
beforeEach(async () => {
  workspace = await newWorkspace(root);
});

type Stream = MessageStream<{ event_id: string; type: string; payload: unknown }>;

interface Opening {
  api?: Api;
  query?: Record<string, string>;
  lastEventId?: string;
}

const open = ({ api = workspace.api, query, lastEventId }: Opening = {}): Promise<Stream> =>
  openStream(api, `/workspaces/${workspace.workspaceId}/events/stream`, { query, lastEventId });

const publish = (type: string, payload: object = {}, where = workspace) =>
  where.api.call('events.publish', { params: { id: where.workspaceId }, body: { type, payload } });
const types = ({ messages }: Stream) => messages.map(({ data }) => data.type);
const arrived = (stream: Stream, count: number) =>
  until(`${count} events`, () => stream.messages.length >= count);

describe('a stream', () => {
  it('sends what happens from now on, in order, each with its ID', async () => {
    await publish('before');
    const stream = await open();
    const made = [await publish('a', { n: 1 }), await publish('b'), await publish('c')];
    await arrived(stream, 3);
    expect(stream.messages.map(({ data }) => data)).toEqual(made);
    expect(stream.messages.map(({ id, name }) => [id, name])).toEqual(
      made.map(({ event_id }) => [event_id, 'event']),
    );
    expect(stream.response.headers.get(HEADERS.requestId)).toMatch(/^req_/);
    expect(stream.response.headers.get(HEADERS.rateLimitRemaining)).toMatch(/^\d+$/);
    expect(stream.response.headers.get('cache-control')).toBe('no-store');
  });

  it('keeps payloads untouched', async () => {
    const stream = await open();
    await workspace.api.send('events.publish', {
      params: { id: workspace.workspaceId },
      text: '{"type":"raw","payload":{ "n":1.0,"n":12345678901234567890,\n\n"u":"\\u00e9"}}',
    });
    await arrived(stream, 1);
    expect(stream.messages[0]?.text).toContain(
      '"payload":{ "n":1.0,"n":12345678901234567890,\n\n"u":"\\u00e9"}',
    );
  });

  it('continues after Last-Event-ID, without a gap and without a repetition', async () => {
    const made = [await publish('a'), await publish('b'), await publish('c')];
    const stream = await open({ lastEventId: made[0]?.event_id ?? '' });
    await publish('d');
    await arrived(stream, 3);
    expect(types(stream)).toEqual(['b', 'c', 'd']);
  });

  it('resumes again and again while events are published', async () => {
    const total = 60;
    const publishing = (async () => {
      for (let index = 0; index < total; index++) await publish('t', { index });
    })();
    const first = await publish('first');
    const seen: string[] = [];
    let lastEventId = first.event_id;
    while (seen.length < total) {
      const stream = await open({ lastEventId });
      await until('some events', () => stream.messages.length > 0);
      stream.close();
      seen.push(...stream.messages.map(({ id }) => id));
      lastEventId = seen.at(-1) ?? '';
      const { data } = await workspace.api.call('events.list', {
        params: { id: workspace.workspaceId },
        query: { limit: '1' },
      });
      if (data[0]?.event_id === lastEventId) {
        await publishing;
        const last = await workspace.api.call('events.list', {
          params: { id: workspace.workspaceId },
          query: { limit: '1' },
        });
        if (last.data[0]?.event_id === lastEventId) break;
      }
    }
    await publishing;
    const all = await workspace.api.call('events.list', {
      params: { id: workspace.workspaceId },
      query: { limit: '100' },
    });
    const ids = all.data.map(({ event_id }) => event_id).reverse();
    expect(seen).toEqual(ids.slice(ids.indexOf(first.event_id) + 1));
  });

  it('begins after `since`', async () => {
    await publish('old');
    const middle = await publish('middle');
    await until('another millisecond', async () => Date.now() > Date.parse(middle.created_at));
    await publish('new');
    const stream = await open({ query: { since: middle.created_at } });
    await arrived(stream, 1);
    await publish('newest');
    await arrived(stream, 2);
    expect(types(stream)).toEqual(['new', 'newest']);
  });

  it('has more than one page of missed events', async () => {
    const { event_id: lastEventId } = await publish('first');
    const events = Array.from({ length: 250 }, (_, index) => ({ type: 'missed', payload: { index } }));
    await workspace.api.call('events.publishBatch', {
      params: { id: workspace.workspaceId },
      body: { events },
    });
    const stream = await open({ lastEventId });
    await arrived(stream, 250);
    expect(stream.messages.map(({ data }) => data.payload)).toEqual(events.map(({ payload }) => payload));
  });

  it('narrows by type and source', async () => {
    const stream = await open({ query: { type: 'wanted', source: 'api' } });
    await publish('other');
    await workspace.api.call('events.publish', {
      params: { id: workspace.workspaceId },
      body: { type: 'wanted', source: 'elsewhere', payload: {} },
    });
    await publish('wanted', { n: 1 });
    await arrived(stream, 1);
    expect(stream.messages.map(({ data }) => data.payload)).toEqual([{ n: 1 }]);
  });

  it('has the events of its workspace only', async () => {
    const other = await newStranger(root);
    const stream = await open();
    await publish('foreign', {}, other);
    await publish('own');
    await arrived(stream, 1);
    expect(types(stream)).toEqual(['own']);
  });

  it.each(['x', '', 'evt_', 'ws_00000000000000000000000000', '0'])(
    'refuses a Last-Event-ID that is not one: %j',
    async (id) => {
      const input = { params: { id: workspace.workspaceId }, headers: { [HEADERS.lastEventId]: id } };
      const response = await workspace.api.send('events.stream', input);
      expect(response.status).toBe(400);
    },
  );

  it('continues by time after the ID of an event that is no longer there', async () => {
    const { event_id } = await publish('first');
    const stream = await open({
      lastEventId: `${event_id.slice(0, -1)}${event_id.endsWith('0') ? '1' : '0'}`,
    });
    await publish('next');
    await until('the next event', () => types(stream).includes('next'));
  });
});

describe('a stream ends at once', () => {
  const changes: [string, (member: Awaited<ReturnType<typeof join>>, keyId: string) => Promise<unknown>][] = [
    [
      'its key is revoked',
      (_, keyId) => workspace.api.call('apiKeys.revoke', { params: { id: workspace.workspaceId, keyId } }),
    ],
    [
      'its key loses the scope',
      (_, keyId) =>
        workspace.api.call('apiKeys.update', {
          params: { id: workspace.workspaceId, keyId },
          body: { scopes: ['members:read'] },
        }),
    ],
    [
      'its key is rotated',
      (_, keyId) =>
        workspace.api.call('apiKeys.rotate', { params: { id: workspace.workspaceId, keyId }, body: {} }),
    ],
    [
      'its member is removed',
      ({ userId }) => workspace.api.call('members.remove', { params: { id: workspace.workspaceId, userId } }),
    ],
    [
      'its workspace is deleted',
      () => workspace.api.call('workspaces.delete', { params: { id: workspace.workspaceId } }),
    ],
  ];

  it.each(changes)('when %s', async (_, change) => {
    const member = await join(workspace, 'admin');
    const stream = await open({ api: member.own });
    await publish('seen');
    await arrived(stream, 1);
    await change(member, member.ownKeyId);
    await stream.ended;
    expect(types(stream)).toEqual(['seen']);
  });

  it('when its personal key is revoked', async () => {
    const made = await workspace.api.call('personalApiKeys.create', { body: { name: 'p' } });
    const stream = await open({ api: workspace.api.as(made.key) });
    await workspace.api.call('personalApiKeys.revoke', { params: { keyId: made.id } });
    await stream.ended;
  });

  it('while others of the same workspace go on', async () => {
    const doomed = await newKey(workspace, { scopes: ['events:read'] });
    const [first, second] = [await open({ api: workspace.api.as(doomed.key) }), await open()];
    await workspace.api.call('apiKeys.revoke', { params: { id: workspace.workspaceId, keyId: doomed.id } });
    await first.ended;
    await publish('still.there');
    await arrived(second, 1);
  });

  it('when the server stops', async () => {
    const own = await startWorkspace();
    workspace = own;
    const stream = await open();
    await own.stop();
    await stream.ended;
  });
});

it('a stream that its reader has closed hinders no other', async () => {
  for (let index = 0; index < 20; index++) (await open()).close();
  const stream = await open();
  await publish('after');
  await arrived(stream, 1);
});

if (onSqlite) {
  it('more than a hundred streams of a workspace share the query for an event', async () => {
    const streams = await Promise.all(Array.from({ length: 110 }, () => open()));
    // All of them wait once the server has served a later request.
    await workspace.api.call('me.get');
    const statement = Object.getPrototypeOf(new SQLite(':memory:').prepare('select 1')) as SQLite.Statement;
    const all = vi.spyOn(statement, 'all');
    onTestFinished(() => all.mockRestore());
    await publish('shared');
    for (const stream of streams) await arrived(stream, 1);
    const queries = (all.mock.contexts as SQLite.Statement[]).filter(({ source }) =>
      /from "events" .* "seq" > \?.* order by/.test(source),
    );
    // For streams that wake together, one query finds the event, and one finds that there is no other.
    expect(queries.length).toBeLessThanOrEqual(4);
  });
}
