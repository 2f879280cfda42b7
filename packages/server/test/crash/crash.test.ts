import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../src/bootstrap.ts';
import { parseServerConfig } from '../../src/config.ts';
import { Api, walk } from '../api/support/api.ts';
import { type Receiver, type ReceiverAnswer, startReceiver } from '../api/support/receiver.ts';
import { until } from '../api/support/until.ts';
import { Load } from './load.ts';
import { type ServerProcess, startInVain, startProcess } from './server-process.ts';

const KILLS = 3;
const CLIENTS = 8;
// Attempts that can be under way when the process dies.
const UNDER_WAY_MAX = 256;

let data: string;
let apiKey: string;
let workspaceId: string;
let receiver: Receiver;
let answer: () => ReceiverAnswer | Promise<ReceiverAnswer>;
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
  answer = () => ({ status: 200 });
  receiver = await startReceiver(() => answer());
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

const load = (baseUrl: string, from = 0) => new Load({ baseUrl, apiKey, workspaceId, from });

/** How often each event came, and under which delivery ids. */
function witnessed(): Map<number, { calls: number; ids: Set<string> }> {
  const seen = new Map<number, { calls: number; ids: Set<string> }>();
  for (const call of receiver.calls) {
    const { id, data: what } = JSON.parse(call.body) as { id: string; data: { payload: { n: number } } };
    const known = seen.get(what.payload.n) ?? { calls: 0, ids: new Set() };
    seen.set(what.payload.n, { calls: known.calls + 1, ids: known.ids.add(id) });
  }
  return seen;
}

async function storedEvents(api: Api): Promise<number[]> {
  const pages = await walk(api, 'events.list', { params: { id: workspaceId }, limit: 100 });
  return pages.flat().map((event) => (event as { payload: { n: number } }).payload.n);
}

/** Waits until every stored event has been delivered, and compares what client, server and receiver know. */
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
  it('under load loses nothing that was acknowledged, and repeats little, under the same id', async () => {
    const acknowledged: number[] = [];
    let next = 0;
    let { api, baseUrl, ...server } = await start();
    await subscribe(api);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const client = load(baseUrl, next).start(CLIENTS);
      // At another point of the work each time.
      await until('enough acknowledgements', () => client.acknowledged.length >= 60 + kill * 37);
      server.kill('SIGKILL');
      expect(await server.ended).toBe('SIGKILL');
      await client.stop();
      acknowledged.push(...client.acknowledged);
      next = client.next;
      ({ api, baseUrl, ...server } = await start());
    }
    await checkNothingLost(api, acknowledged);
    const repeated = receiver.calls.length - witnessed().size;
    expect(repeated).toBeLessThanOrEqual(KILLS * UNDER_WAY_MAX);
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  it('in the middle of an attempt sends it again with the same bytes, and it counts once', async () => {
    answer = () => new Promise(() => {});
    const first = await start();
    await subscribe(first.api);
    await first.api.call('events.publish', {
      params: { id: workspaceId },
      body: { type: 'x', payload: { n: 1 } },
    });
    await until('the attempt', () => receiver.calls.length === 1);
    first.kill('SIGKILL');
    await first.ended;
    answer = () => ({ status: 200 });
    const second = await start();
    await checkNothingLost(second.api, [1]);
    expect(receiver.calls).toHaveLength(2);
    expect(receiver.calls[1]?.bytes.equals(receiver.calls[0]?.bytes ?? Buffer.of())).toBe(true);
    const { data: deliveries } = await second.api.call('deliveries.list', { params: { id: workspaceId } });
    expect(deliveries).toMatchObject([{ status: 'delivered', attempt_count: 1 }]);
  });
});

describe('SIGTERM', () => {
  it('under load finishes what is under way, loses and repeats nothing, and ends with 0', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    answer = async () => {
      await opened;
      return { status: 200 };
    };
    const first = await start();
    await subscribe(first.api);
    const client = load(first.baseUrl).start(CLIENTS);
    await until('attempts under way', () => receiver.calls.length > 0 && client.acknowledged.length > 80);
    first.kill('SIGTERM');
    // It still waits for those attempts; now they are answered.
    const late = await Promise.race([first.ended, client.stop().then(() => 'waiting')]);
    expect(late).toBe('waiting');
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
