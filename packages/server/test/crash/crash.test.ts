import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { parseServerConfig } from '../../src/config/config.ts';
import { Api, walk } from '../api/support/api.ts';
import { type Receiver, type ReceiverResponse, startReceiver } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';
import { Load } from './load.ts';
import { type ServerProcess, startInVain, startProcess } from './server-process.ts';

const CLIENTS = 8;
// docs/decisions/deliveries.md: a delivery whose attempts are interrupted this often is taken to be the cause.
const INTERRUPTIONS_MAX = 3;

let data: string;
let apiKey: string;
let workspaceId: string;
let receiver: Receiver;
let respond: () => ReceiverResponse | Promise<ReceiverResponse>;
let running: ServerProcess[];

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'hubline-crash-'));
  const owner = await bootstrap(parseServerConfig({ data }, {}), {
    email: 'owner@example.com',
    name: 'Acme',
    slug: 'acme',
  });
  apiKey = owner.api_key;
  workspaceId = owner.workspace_id ?? '';
  respond = () => ({ status: 200 });
  receiver = await startReceiver(() => respond());
  running = [];
});
afterEach(async () => {
  for (const server of running) server.kill('SIGKILL');
  await Promise.all(running.map((server) => server.ended));
  await receiver.stop();
  await rm(data, { recursive: true, force: true });
});

async function start(): Promise<ServerProcess & { api: Api }> {
  const server = await startProcess(data);
  running.push(server);
  return Object.assign(server, { api: new Api(server.baseUrl, apiKey) });
}

const subscribe = (api: Api) =>
  api.call('webhooks.create', {
    body: { workspace_id: workspaceId, url: receiver.url, events: ['event.created'], secret: 'a secret' },
  });

const load = (baseUrl: string) => new Load({ baseUrl, apiKey, workspaceId });

/** Counts the calls of each event, with their delivery IDs. */
function witnessed(): Map<number, { calls: number; ids: Set<string> }> {
  const seen = new Map<number, { calls: number; ids: Set<string> }>();
  for (const call of receiver.calls) {
    const { id, data: event } = JSON.parse(call.body) as { id: string; data: { payload: { n: number } } };
    const { n } = event.payload;
    const known = seen.get(n) ?? { calls: 0, ids: new Set() };
    seen.set(n, { calls: known.calls + 1, ids: known.ids.add(id) });
  }
  return seen;
}

async function storedEvents(api: Api): Promise<number[]> {
  const pages = await walk(api, 'events.list', { params: { id: workspaceId }, limit: 100 });
  return pages.flat().map((event) => (event as { payload: { n: number } }).payload.n);
}

/** Waits until every stored event is delivered, and compares what client, server and receiver have seen. */
async function checkNothingLost(api: Api, acknowledged: readonly number[]): Promise<void> {
  const stored = await storedEvents(api);
  expect(stored).toEqual(expect.arrayContaining([...acknowledged]));
  expect(new Set(stored).size).toBe(stored.length);
  for (const status of ['pending', 'retrying'])
    await until(`nothing ${status}`, async () => {
      const query = { status, limit: '1' };
      const { data: open } = await api.call('deliveries.list', { params: { id: workspaceId }, query });
      return open.length === 0;
    });
  const seen = witnessed();
  expect([...seen.keys()].toSorted((a, b) => a - b)).toEqual(stored.toSorted((a, b) => a - b));
  for (const { ids } of seen.values()) expect(ids.size).toBe(1);
}

describe('SIGKILL', () => {
  /** Kills servers, one after another, in the middle of the same attempt. */
  async function interrupt(times: number): Promise<void> {
    respond = () => new Promise(() => {});
    for (let time = 1; time <= times; time += 1) {
      const server = await start();
      if (time === 1) {
        await subscribe(server.api);
        const body = { type: 'x', payload: { n: 1 } };
        await server.api.call('events.publish', { params: { id: workspaceId }, body });
      }
      await until('the attempt', () => receiver.calls.length === time);
      server.kill('SIGKILL');
      await server.ended;
    }
    respond = () => ({ status: 200 });
  }

  const deliveries = async (api: Api) =>
    (await api.call('deliveries.list', { params: { id: workspaceId } })).data;

  it('in the middle of an attempt does not count: the attempt is made again, with the same bytes', async () => {
    await interrupt(INTERRUPTIONS_MAX - 1);
    const { api } = await start();
    await checkNothingLost(api, [1]);
    expect(receiver.calls).toHaveLength(INTERRUPTIONS_MAX);
    for (const call of receiver.calls) {
      expect(call.bytes.equals(receiver.calls[0]?.bytes ?? Buffer.of())).toBe(true);
      expect(call.headers['x-service-attempt']).toBe('1');
    }
    expect(await deliveries(api)).toMatchObject([{ status: 'delivered', attempt_count: 1 }]);
  });

  it('three times in the middle of an attempt makes the attempt count as failed, without another call', async () => {
    await interrupt(INTERRUPTIONS_MAX);
    const { api } = await start();
    await until('the record', async () => (await deliveries(api))[0]?.attempt_count === 1);
    expect(await deliveries(api)).toMatchObject([{ status: 'retrying', attempt_count: 1 }]);
    expect(receiver.calls).toHaveLength(INTERRUPTIONS_MAX);
  });
});

describe('while deliveries wait in the prefetch buffer', () => {
  // The concurrency limit of a webhook that has not been called yet.
  const LIMIT = 4;
  const numbers = Array.from({ length: 20 }, (_, n) => n);

  /**
   * Starts a server with as many attempts under way as allowed, whose other deliveries wait in the buffer. Returns it
   * with a function that responds to all attempts.
   */
  async function fillBuffer() {
    const held: (() => void)[] = [];
    respond = () => new Promise((resolve) => held.push(() => resolve({ status: 200 })));
    const server = await start();
    await subscribe(server.api);
    const events = numbers.map((n) => ({ type: 'x', payload: { n } }));
    await server.api.call('events.publishBatch', { params: { id: workspaceId }, body: { events } });
    await until('the first attempts', () => receiver.calls.length === LIMIT);
    return {
      server,
      respondToAll: () => {
        respond = () => ({ status: 200 });
        for (const respond of held) respond();
      },
    };
  }

  it('SIGKILL loses nothing and repeats what was under way', async () => {
    const { server, respondToAll } = await fillBuffer();
    server.kill('SIGKILL');
    await server.ended;
    respondToAll();
    const { api } = await start();
    await checkNothingLost(api, numbers);
    expect(receiver.calls).toHaveLength(LIMIT + numbers.length);
  });

  it('SIGTERM gives them back at once, and the next server sends them', async () => {
    const { server, respondToAll } = await fillBuffer();
    const database = new SQLite(join(data, 'hubline.db'), { readonly: true });
    onTestFinished(() => void database.close());
    const leased = database.prepare('select count(*) from deliveries where lease_owner is not null').pluck();
    expect(leased.get()).toBe(numbers.length);
    server.kill('SIGTERM');
    await until('they are given back', () => leased.get() === LIMIT);
    respondToAll();
    expect(await server.ended).toBe(0);
    expect(receiver.calls).toHaveLength(LIMIT);
    const { api } = await start();
    await checkNothingLost(api, numbers);
    expect(receiver.calls).toHaveLength(numbers.length);
  });
});

describe('SIGTERM', () => {
  it('under load finishes what is under way, loses and repeats nothing, and ends with 0', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    respond = async () => {
      await opened;
      return { status: 200 };
    };
    const first = await start();
    await subscribe(first.api);
    const client = load(first.baseUrl).start(CLIENTS);
    await until('attempts under way', () => receiver.calls.length > 0 && client.acknowledged.length > 80);
    first.kill('SIGTERM');
    // The server waits for those attempts until their receiver responds.
    const state = await Promise.race([first.ended, client.stop().then(() => 'waiting')]);
    expect(state).toBe('waiting');
    await until('it says so', () => first.log().includes('waiting for the attempts under way'));
    open();
    expect(await first.ended).toBe(0);
    const second = await start();
    await checkNothingLost(second.api, client.acknowledged);
    expect(receiver.calls).toHaveLength(witnessed().size);
  });
});

it('a second server on the same data is refused, and the first goes on', async () => {
  const first = await start();
  const { code, errors } = await startInVain(data);
  expect(code).not.toBe(0);
  expect(errors).toContain('Another server is using');
  await first.api.call('workspaces.list');
});
