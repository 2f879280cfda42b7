import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../process/worker.ts';
import { percentile } from '../statistics.ts';
import { readStream } from './stream-reader.ts';

/** A well-behaved client, and its own workspace. */
export interface Neighbor {
  port: number;
  apiKey: string;
  workspaceId: string;
  seconds: number;
}

/** The quality of service that the client got. */
export interface Service {
  /** Milliseconds of `GET /livez`, from when it was due. */
  livez: { p50: number; p99: number; max: number };
  /** Milliseconds of a publication, from when it was due. */
  publish: { p50: number; p99: number };
  /** Requests that were not answered with success. */
  errors: number;
  acknowledged: number;
  /** Acknowledged events that are missing from the list, from the stream and at the webhook. */
  lost: { list: number; stream: number; webhook: number };
}

const LIVEZ_EVERY_MS = 20;
const PUBLISH_EVERY_MS = 200;
const LAST_MS = 20_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const agent = new Agent({ keepAlive: true });
const delivered = new Set<string>();

function ask(
  port: number,
  path: string,
  { apiKey, body }: { apiKey?: string; body?: string } = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    const outgoing = request({ agent, port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Starts `work` at a fixed pace, however long it takes. Returns the milliseconds of each from when it was due. */
async function pace(seconds: number, everyMs: number, work: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  const started = performance.now();
  const all: Promise<void>[] = [];
  for (let due = started; due < started + seconds * 1_000; due += everyMs) {
    const wait = due - performance.now();
    if (wait > 0) await pause(wait);
    all.push(work().then(() => void times.push(performance.now() - due)));
  }
  await Promise.all(all);
  return times;
}

interface FollowedStream {
  /** Reports whether an event has come. */
  has(id: string): boolean;
  end(): void;
}

/** Follows the stream of a workspace, and reconnects as `EventSource` does: no event may be lost when a stream ends. */
function followStream({ port, apiKey, workspaceId }: Neighbor): FollowedStream {
  const come = new Set<string>();
  const closing = new AbortController();
  let newest = '';
  const onEvent = (id: string) => {
    come.add(id);
    newest = id;
  };
  const follow = async (): Promise<void> => {
    const place = { port, path: `/v1/workspaces/${workspaceId}/events/stream`, signal: closing.signal };
    while (!closing.signal.aborted) {
      const headers = {
        Authorization: `Bearer ${apiKey}`,
        ...(newest === '' ? {} : { 'Last-Event-ID': newest }),
      };
      await readStream({ ...place, headers }, { onOpen: () => {}, onEvent });
      await pause(100);
    }
  };
  void follow();
  return { has: (id) => come.has(id), end: () => closing.abort() };
}

/** The ids in all pages of the list of events. */
async function listedIds({ port, apiKey, workspaceId }: Neighbor): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { text } = await ask(port, `/v1/workspaces/${workspaceId}/events?limit=100${query}`, { apiKey });
    for (const [, id = ''] of text.matchAll(/"event_id":"(\w+)"/g)) ids.add(id);
    cursor = /"next_cursor":"([^"]+)"/.exec(text)?.[1];
  }
  return ids;
}

const methods = {
  /** Starts a receiver of webhook calls. Returns its URL. */
  listen: () =>
    new Promise<string>((resolve) => {
      const server = createServer((incoming, response) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        incoming.on('end', () => {
          delivered.add(/"event":\{"id":"(\w+)"/.exec(text)?.[1] ?? '');
          response.end();
        });
      });
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      );
    }),

  async run(neighbor: Neighbor): Promise<Service> {
    const { port, apiKey, workspaceId, seconds } = neighbor;
    const events = `/v1/workspaces/${workspaceId}/events`;
    const acknowledged: string[] = [];
    let errors = 0;
    const check = ({ status }: { status: number }) => void (status >= 300 && (errors += 1));
    const failed = () => void (errors += 1);
    const stream = followStream(neighbor);
    await pause(500);

    const [livez, publish] = await Promise.all([
      pace(seconds, LIVEZ_EVERY_MS, () => ask(port, '/livez').then(check, failed)),
      pace(seconds, PUBLISH_EVERY_MS, async () => {
        try {
          const answer = await ask(port, events, { apiKey, body: '{"type":"calm","payload":{"n":1}}' });
          check(answer);
          const id = /"event_id":"(\w+)"/.exec(answer.text)?.[1];
          if (answer.status === 201 && id !== undefined) acknowledged.push(id);
          check(await ask(port, `${events}?limit=20`, { apiKey }));
        } catch {
          failed();
        }
      }),
    ]);

    const stored = await listedIds(neighbor);
    const missing = (has: (id: string) => boolean) => acknowledged.filter((id) => !has(id)).length;
    const lost = () => ({
      list: missing((id) => stored.has(id)),
      stream: missing(stream.has),
      webhook: missing((id) => delivered.has(id)),
    });
    const deadline = performance.now() + LAST_MS;
    while (lost().stream + lost().webhook > 0 && performance.now() < deadline) await pause(100);
    stream.end();
    return {
      livez: { p50: percentile(livez, 50), p99: percentile(livez, 99), max: Math.max(...livez) },
      publish: { p50: percentile(publish, 50), p99: percentile(publish, 99) },
      errors,
      acknowledged: acknowledged.length,
      lost: lost(),
    };
  },
};

export type NeighborMethods = typeof methods;

answerParent(methods);
