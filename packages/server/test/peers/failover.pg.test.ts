import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it, onTestFinished } from 'vitest';
import { parseServerConfig } from '../../src/config/config.ts';
import { type RunningServer, startServer } from '../../src/server.ts';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { createTestDatabase, type TestDatabase } from '../../src/testing/test-database.ts';
import { Api } from '../api/support/api.ts';
import { until } from '../api/support/until.ts';
import { CHEAP } from '../api/support/workspace.ts';
import { type DatabaseLink, openDatabaseLink } from '../crash/harness/database-link.ts';

let folder: string;
let database: TestDatabase;
let link: DatabaseLink;
let operator: pg.Client;
let server: RunningServer;
let api: Api;
let workspaceId: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hubline-failover-'));
  database = await createTestDatabase(inject('postgresUrl'), inject('postgresTemplate'));
  link = await openDatabaseLink(database.url);
  operator = new pg.Client({ connectionString: inject('postgresUrl') });
  await operator.connect();
  const config = parseServerConfig(
    { data: folder, databaseUrl: link.url, port: 0, senders: 0, httpThread: 'off', logLevel: 'silent' },
    {},
  );
  const { api_key, workspace_id } = await bootstrap(config, {
    email: 'o@acme.test',
    name: 'Acme',
    slug: 'acme',
  });
  server = await startServer(config, CHEAP);
  api = new Api(server.baseUrl, api_key);
  workspaceId = workspace_id ?? expect.fail('There is no workspace.');
});
afterEach(async () => {
  await server.stop();
  await link.close();
  await operator.query(`drop database if exists ${replica()} with (force)`);
  await operator.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const replica = () => `${database.name}_replica`;

/** Ends all connections of the server while `work` is done. Then waits until the server is ready again. */
async function whileAway(work: () => Promise<unknown>): Promise<void> {
  link.sever();
  await work();
  link.mend();
  await until('the server is ready', async () => (await fetch(new URL('/readyz', server.baseUrl))).ok);
}

/** From here on, the replica receives nothing: it is the database as it is now. */
const stopReplication = () =>
  whileAway(() => operator.query(`create database ${replica()} template ${database.name}`));

/** The replica takes over. */
const failOver = () =>
  whileAway(async () => {
    await operator.query(`drop database ${database.name} with (force)`);
    await operator.query(`alter database ${replica()} rename to ${database.name}`);
  });

interface Follower {
  text: string;
  /** True while the server has the stream open. */
  isOpen: boolean;
}

const idsOf = ({ text }: Follower) => [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id);

/** Follows the events of the workspace as a browser does: a stream that the server ends is resumed after the last event. */
async function follow(query: string): Promise<Follower> {
  const gone = new AbortController();
  const { signal } = gone;
  onTestFinished(() => gone.abort());
  const seen: Follower = { text: '', isOpen: false };
  const connect = async () => {
    const last = idsOf(seen).at(-1);
    const headers = { Authorization: `Bearer ${api.key}`, ...(last && { 'Last-Event-ID': last }) };
    const url = `${server.baseUrl}/workspaces/${workspaceId}/events/stream${query}`;
    const { body, ok } = await fetch(url, { headers, signal });
    seen.isOpen = ok;
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) seen.text += chunk;
  };
  void (async () => {
    while (!signal.aborted) {
      await connect().catch(() => {});
      seen.isOpen = false;
    }
  })();
  await isFollowing(seen);
  return seen;
}

/** A stream that an outage has ended, and that has no event to resume after, begins with the next one. */
const isFollowing = (...all: Follower[]) => until('the streams', () => all.every(({ isOpen }) => isOpen));

const publish = async (type: string): Promise<string> => {
  const body = { type, payload: {} };
  return (await api.call('events.publish', { params: { id: workspaceId }, body })).event_id;
};

it('a stream that stays open while a replica takes over misses no event, though its position was lost', async () => {
  await stopReplication();
  const stream = await follow('');
  const quiet = await follow('?type=deploy');
  for (const type of ['push', 'push', 'push']) {
    const id = await publish(type);
    await until('the event', () => stream.text.includes(id));
  }
  await failOver();
  await isFollowing(stream, quiet);
  const id = await publish('deploy');
  await until('the event of the new primary', () => stream.text.includes(id) && quiet.text.includes(id));
});

it('a stream that had nothing to send before a replica took over sends nothing from before its beginning', async () => {
  await publish('deploy');
  await stopReplication();
  const streams = [await follow(''), await follow('?type=deploy')];
  await failOver();
  await isFollowing(...streams);
  const id = await publish('deploy');
  for (const stream of streams) {
    await until('the event of the new primary', () => stream.text.includes(id));
    expect(idsOf(stream)).toEqual([id]);
  }
});

it('a key whose creation was lost when a replica took over is refused, and other keys are not', async () => {
  const params = { id: workspaceId };
  await stopReplication();
  const body = { name: 'lost', role: 'admin' };
  const { key } = await api.call('apiKeys.create', { params, body });
  const lost = api.as(key);
  await lost.call('workspaces.get', { params });
  await failOver();
  await expect.poll(async () => (await lost.send('workspaces.get', { params })).status).toBe(401);
  await api.call('workspaces.get', { params });
});
