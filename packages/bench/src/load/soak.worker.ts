import { createHmac } from 'node:crypto';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answerParent } from '../process/worker.ts';
import { ask } from './ask.ts';
import { readStream } from './stream-reader.ts';

/** The server, and the key of the client that uses it. */
export interface Soaked {
  port: number;
  apiKey: string;
  workspaceId: string;
  /** The ingest path of every fifth event, and the secret that signs it. */
  ingest: { path: string; secret: string };
}

/** Events of a soak so far. */
export interface Ledger {
  /** Events that the server accepted. Each of them must arrive. */
  accepted: number;
  /** Requests that did not succeed, by status, or by the code of the connection's error. */
  errors: Readonly<Record<string, number>>;
  /** Calls that a receiver refused with 500: the server retries them. */
  refusedCalls: number;
  /** Accepted events that have not arrived. */
  missing: { steady: number; failing: number; stream: number };
}

const EVERY_MS = 20;
const READ_EVERY_MS = 200;
const INGEST_SHARE = 5;
/** The stream is read for a while, and then disconnected for a while. */
const [READING_MS, AWAY_MS] = [20_000, 10_000];
/** The failing webhook is down for this long, this often. */
const [OUTAGE_MS, OUTAGE_EVERY_MS] = [15_000, 300_000];
/** Between outages it refuses the first call of one event in this many. */
const REFUSED_SHARE = 20;

const ids = { accepted: new Set<string>(), steady: new Set<string>(), failing: new Set<string>() };
const streamed = new Set<string>();
const refused = new Set<string>();
const errors: Record<string, number> = {};
let refusedCalls = 0;
let sent = 0;
const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const ending = new AbortController();
const leaving = new AbortController();

const count = (error: string): void => void (errors[error] = (errors[error] ?? 0) + 1);
const failed = (error: unknown): void => count((error as NodeJS.ErrnoException).code ?? String(error));

/** One event in a hundred is 256 KB, one in ten 16 KB, the others up to 2. */
function payloadOf(sequence: number): object {
  const length = sequence % 100 === 0 ? 256_000 : sequence % 10 === 0 ? 16_000 : 200 + (sequence % 37) * 50;
  return { n: sequence, title: `Event ${sequence}`, text: 'lorem ipsum '.repeat(length / 12) };
}

/** The first group of an expression, as a separate string: otherwise V8 keeps the whole body in memory for a part of it. */
function found(expression: RegExp, text: string): string | undefined {
  const part = expression.exec(text)?.[1];
  return part === undefined ? undefined : Buffer.from(part).toString();
}

/** Starts `work` at a fixed pace until the end, however long it takes. */
async function pace(everyMs: number, work: () => Promise<void>): Promise<void> {
  const underWay = new Set<Promise<void>>();
  for (let due = performance.now(); !ending.signal.aborted; due += everyMs) {
    const wait = due - performance.now();
    if (wait > 0) await pause(wait);
    const one = work().catch(failed);
    underWay.add(one);
    void one.finally(() => underWay.delete(one));
  }
  await Promise.all(underWay);
}

async function publish({ port, apiKey, workspaceId, ingest }: Soaked): Promise<void> {
  sent += 1;
  const payload = payloadOf(sent);
  const isIngested = sent % INGEST_SHARE === 0;
  const body = JSON.stringify(isIngested ? payload : { type: `soak.${sent % 7}`, payload });
  const response = await ask({
    agent,
    port,
    path: isIngested ? ingest.path : `/v1/workspaces/${workspaceId}/events`,
    headers: isIngested ? signed(body, ingest.secret) : { Authorization: `Bearer ${apiKey}` },
    body,
  });
  const id = found(/"event_id":"(\w+)"/, response.text);
  if (response.status >= 300 || id === undefined) count(String(response.status));
  else ids.accepted.add(id);
}

const signed = (body: string, secret: string) => ({
  'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});

async function readLists({ port, apiKey, workspaceId }: Soaked): Promise<void> {
  const lists = [
    'events?limit=20',
    'events?type=soak.3',
    'events?limit=100',
    'deliveries?status=failed',
    'stats',
  ];
  for (let turn = 0; ; turn += 1) {
    if (ending.signal.aborted) return;
    const path = `/v1/workspaces/${workspaceId}/${lists[turn % lists.length] ?? ''}`;
    await ask({ agent, port, path, headers: { Authorization: `Bearer ${apiKey}` } }).then(
      ({ status }) => void (status >= 300 && count(String(status))),
      failed,
    );
    await pause(READ_EVERY_MS);
  }
}

/** Reads the stream like a browser that sleeps now and then; the last time, until all events have arrived. */
async function comeAndGo({ port, apiKey, workspaceId }: Soaked, onOpen: () => void): Promise<void> {
  let newest = '';
  while (!leaving.signal.aborted) {
    const readFor = ending.signal.aborted ? leaving.signal : AbortSignal.timeout(READING_MS);
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      ...(newest === '' ? {} : { 'Last-Event-ID': newest }),
    };
    const signal = AbortSignal.any([readFor, leaving.signal]);
    const onEvent = (id: string) => {
      streamed.add(id);
      newest = id;
    };
    const path = `/v1/workspaces/${workspaceId}/events/stream`;
    await readStream({ port, path, headers, signal }, { onOpen, onEvent });
    if (!ending.signal.aborted) await pause(AWAY_MS, undefined, { signal: ending.signal }).catch(() => {});
  }
}

/** Reports whether the failing webhook refuses a call with 500. */
function isRefused(id: string): boolean {
  if (ending.signal.aborted) return false;
  const now = performance.now();
  if (now % OUTAGE_EVERY_MS > OUTAGE_EVERY_MS - OUTAGE_MS) return true;
  if (ids.accepted.size % REFUSED_SHARE > 0 || refused.has(id)) return false;
  refused.add(id);
  return true;
}

function receiver(arrived: Set<string>, fails: (id: string) => boolean): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer((incoming, response) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      incoming.on('end', () => {
        const id = found(/"event":\{"id":"(\w+)"/, text) ?? '';
        if (fails(id)) {
          refusedCalls += 1;
          response.statusCode = 500;
        } else arrived.add(id);
        response.end();
      });
    });
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve(`http://127.0.0.1:${port}`);
    });
  });
}

const missing = (arrived: ReadonlySet<string>): number =>
  [...ids.accepted].filter((id) => !arrived.has(id)).length;

const ledger = (): Ledger => ({
  accepted: ids.accepted.size,
  errors,
  refusedCalls,
  missing: { steady: missing(ids.steady), failing: missing(ids.failing), stream: missing(streamed) },
});

let working: Promise<unknown> = Promise.resolve();
let reading: Promise<unknown> = Promise.resolve();

const methods = {
  /** Starts two receivers of webhook calls; the second fails now and then. Returns their URLs. */
  listen: () => Promise.all([receiver(ids.steady, () => false), receiver(ids.failing, isRefused)]),

  /** Begins the load: 50 events a second of mixed size, one in five through an integration, lists, and a stream. */
  async start(soaked: Soaked): Promise<void> {
    await new Promise<void>((resolve) => {
      reading = comeAndGo(soaked, resolve);
    });
    working = Promise.all([pace(EVERY_MS, () => publish(soaked)), readLists(soaked)]);
  },

  ledger,

  /** Ends the load, and waits at most `withinMs` until all accepted events have arrived. */
  async finish({ withinMs }: { withinMs: number }): Promise<Ledger> {
    ending.abort();
    await working;
    const deadline = performance.now() + withinMs;
    const isOpen = () => Object.values(ledger().missing).some((count) => count > 0);
    while (isOpen() && performance.now() < deadline) await pause(500);
    leaving.abort();
    await reading;
    return ledger();
  },
};

export type SoakMethods = typeof methods;

answerParent(methods);
