import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answerParent } from '../process/worker.ts';
import { percentile } from '../statistics.ts';
import { ask } from './ask.ts';
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
  /** Requests that did not succeed. */
  errors: number;
  /** Acknowledged events that are missing from the list, from the stream and at the webhook. */
  lost: { list: number; stream: number; webhook: number };
}

const LIVEZ_EVERY_MS = 20;
const PUBLISH_EVERY_MS = 200;
/** The longest wait for events that are still on their way at the end. */
const DRAIN_MS = 20_000;

const agent = new Agent({ keepAlive: true });
const delivered = new Set<string>();

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
  /** Reports whether an event has arrived. */
  has(id: string): boolean;
  end(): void;
}

/** Follows the stream of a workspace, and reconnects as `EventSource` does: no event may be lost when a stream ends. */
function followStream({ port, apiKey, workspaceId }: Neighbor): FollowedStream {
  const arrived = new Set<string>();
  const closing = new AbortController();
  let newest = '';
  const onEvent = (id: string) => {
    arrived.add(id);
    newest = id;
  };
  const follow = async (): Promise<void> => {
    const stream = { port, path: `/v1/workspaces/${workspaceId}/events/stream`, signal: closing.signal };
    while (!closing.signal.aborted) {
      const headers = {
        Authorization: `Bearer ${apiKey}`,
        ...(newest === '' ? {} : { 'Last-Event-ID': newest }),
      };
      await readStream({ ...stream, headers }, { onOpen: () => {}, onEvent });
      await pause(100);
    }
  };
  void follow();
  return { has: (id) => arrived.has(id), end: () => closing.abort() };
}

/** The IDs in all pages of the list of events. */
async function listedIds({ port, apiKey, workspaceId }: Neighbor): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const path = `/v1/workspaces/${workspaceId}/events?limit=100${query}`;
    const { text } = await ask({ agent, port, path, headers: { Authorization: `Bearer ${apiKey}` } });
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
    const path = `/v1/workspaces/${workspaceId}/events`;
    const events = { agent, port, headers: { Authorization: `Bearer ${apiKey}` } };
    const acknowledged: string[] = [];
    let errors = 0;
    const check = ({ status }: { status: number }) => void (status >= 300 && (errors += 1));
    const failed = () => void (errors += 1);
    const stream = followStream(neighbor);
    await pause(500);

    const [livez, publish] = await Promise.all([
      pace(seconds, LIVEZ_EVERY_MS, () => ask({ agent, port, path: '/livez' }).then(check, failed)),
      pace(seconds, PUBLISH_EVERY_MS, async () => {
        try {
          const response = await ask({ ...events, path, body: '{"type":"calm","payload":{"n":1}}' });
          check(response);
          const id = /"event_id":"(\w+)"/.exec(response.text)?.[1];
          if (response.status === 201 && id !== undefined) acknowledged.push(id);
          check(await ask({ ...events, path: `${path}?limit=20` }));
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
    const deadline = performance.now() + DRAIN_MS;
    while (lost().stream + lost().webhook > 0 && performance.now() < deadline) await pause(100);
    stream.end();
    return {
      livez: { p50: percentile(livez, 50), p99: percentile(livez, 99), max: Math.max(...livez) },
      publish: { p50: percentile(publish, 50), p99: percentile(publish, 99) },
      errors,

      lost: lost(),
    };
  },
};

export type NeighborMethods = typeof methods;

answerParent(methods);
