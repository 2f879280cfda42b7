import { createHmac } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answerParent } from '../process/worker.ts';

/** The target of the attacks. */
export interface Victim {
  port: number;
  apiKey: string;
  /** Holds events of 24 MB. */
  full: { workspaceId: string; eventIds: readonly string[] };
  /** Has a stream for each of its readers. */
  crowd: { workspaceId: string };
  integrationId: string;
  /** Signs the calls of the integration. */
  secret: string;
}

/** The outcome of an attack. */
export interface Damage {
  /** Responses by status; 0 for a connection that was cut off. */
  responses: Record<string, number>;
  bytes: number;
  /** Events of the crowd's workspace that were acknowledged. */
  published: string[];
  publishMs: number[];
  /** Events that all readers of the crowd received together, and the number that they should have received. */
  streamed: number;
  expected: number;
}

export type AttackName = 'uploads' | 'pages' | 'calls' | 'arrays' | 'crowd' | 'pipelined';

const MIB = 1024 * 1024;
const UPLOAD_BYTES = 25 * 1000 * 1000;
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const PAUSE_MS = 50;
const EVENTS_PER_S = 5;
const READERS = 1_000;

const attack = new AbortController();
const ends: (() => void)[] = [];
const running: Promise<void>[] = [];
let publishing: Promise<unknown> = Promise.resolve();
const damage: Damage = { responses: {}, bytes: 0, published: [], publishMs: [], streamed: 0, expected: 0 };

const count = (status: number): void => {
  damage.responses[status] = (damage.responses[status] ?? 0) + 1;
};

/** Repeats `work` in `slots` loops until the attack is stopped; resolves when the last has ended. */
function repeat(slots: number, work: () => Promise<void>): Promise<unknown> {
  const slot = async (): Promise<void> => {
    while (!attack.signal.aborted) {
      await work().catch(() => count(0));
      await pause(PAUSE_MS);
    }
  };
  const all = Array.from({ length: slots }, slot);
  running.push(...all);
  return Promise.all(all);
}

/** Sends one request, reads the whole response, and returns the end of its text. */
function ask(
  { port, apiKey }: Victim,
  path: string,
  { method = 'GET', body, signature }: { method?: string; body?: string; signature?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(signature === undefined
        ? { Authorization: `Bearer ${apiKey}` }
        : { 'X-Hub-Signature-256': signature }),
      ...(body === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
    };
    const outgoing: ClientRequest = request({ port, path: `/v1${path}`, method, headers }, (response) => {
      count(response.statusCode ?? 0);
      let tail = '';
      response.on('data', (chunk: Buffer) => {
        damage.bytes += chunk.length;
        tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - 1_000))).slice(-1_000);
      });
      response.on('end', () => resolve(tail));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** A connection that sends a request and reads nothing; resolves when it is cut off. */
function askAndIgnore({ port, apiKey }: Victim, path: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    // A paused socket does not notice that the other side has closed the connection; a write does.
    const check = setInterval(() => socket.write('\r\n'), 1_000);
    const end = () => {
      clearInterval(check);
      socket.destroy();
      resolve();
    };
    ends.push(end);
    socket.on('error', end).on('close', end);
    socket.pause();
    socket.write(`GET /v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`);
  });
}

const FLOOD = 'GET /v1/me HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000);
const FLOOD_MS = 2_000;

/** A connection that sends a thousand requests at once; resolves when it is cut off, or after two seconds. */
function flood({ port }: Victim): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(FLOOD));
    const end = () => {
      clearTimeout(deadline);
      socket.destroy();
      resolve();
    };
    const deadline = setTimeout(end, FLOOD_MS);
    ends.push(end);
    socket.on('data', (chunk) => (damage.bytes += chunk.length));
    socket.on('error', end).on('close', end);
  });
}

/** Uploads 25 MB, or only the first `bytes` of them, until the server responds. */
function upload({ port }: Victim, integrationId: string, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let left = bytes;
    const end = () => {
      socket.destroy();
      resolve();
    };
    ends.push(end);
    socket.on('data', (chunk) => {
      count(Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1', 0, 20))?.[1] ?? 0));
      end();
    });
    socket.on('error', end).on('close', end);
    const send = (): void => {
      while (left > 0) {
        left -= CHUNK.length;
        if (!socket.write(CHUNK)) return;
      }
    };
    socket.on('drain', send);
    socket.write(
      `POST /v1/ingest/${integrationId} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${UPLOAD_BYTES}\r\n\r\n`,
    );
    send();
  });
}

/** Reads all pages of a list. */
async function readPages(victim: Victim, path: string): Promise<void> {
  for (let cursor: string | undefined = ''; cursor !== undefined && !attack.signal.aborted;) {
    const tail = await ask(victim, `${path}?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
    cursor = /"next_cursor":"([^"]+)"/.exec(tail)?.[1];
  }
}

const EVENT = Buffer.from('\nevent: event\n');

/** Follows a stream and counts its events; resolves when it is connected. */
function follow({ port, apiKey, crowd }: Victim): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    ends.push(() => socket.destroy());
    let tail: Buffer = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      resolve();
      const bytes = Buffer.concat([tail, chunk]);
      let at = bytes.indexOf(EVENT);
      for (; at !== -1; at = bytes.indexOf(EVENT, at + 1)) damage.streamed += 1;
      tail = bytes.subarray(Math.max(0, bytes.length - EVENT.length + 1));
    });
    socket.write(
      `GET /v1/workspaces/${crowd.workspaceId}/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`,
    );
  });
}

const repeated = (item: string, times: number) => Array.from({ length: times }, () => item).join(',');

const ATTACKS: Readonly<Record<AttackName, (victim: Victim) => void | Promise<void>>> = {
  uploads(victim) {
    const nobody = victim.integrationId.replace(/.{4}$/, '0000');
    void repeat(20, () => upload(victim, nobody, UPLOAD_BYTES));
    void repeat(20, () => upload(victim, victim.integrationId, MIB));
  },
  pages(victim) {
    const { workspaceId, eventIds } = victim.full;
    const events = `/workspaces/${workspaceId}/events`;
    void repeat(4, () => readPages(victim, events));
    let turn = 0;
    void repeat(2, async () => void (await ask(victim, `${events}/${eventIds[turn++ % eventIds.length]}`)));
    void repeat(4, () => askAndIgnore(victim, `${events}/stream?since=2020-01-01T00:00:00Z`));
    void repeat(8, () => askAndIgnore(victim, `${events}?limit=100`));
    void repeat(8, () => askAndIgnore(victim, `${events}/${eventIds[0]}`));
  },
  calls(victim) {
    const { integrationId, secret } = victim;
    const items = repeated('{"a":1,"b":[1,2,3],"c":"x"}', 300_000);
    const all = Array.from({ length: 20 }, (_, id) => {
      const body = `{"id":${id},"items":[${items}]}`;
      return { body, signature: `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
    });
    void repeat(1, async () => {
      await Promise.all(
        all.map((call) => ask(victim, `/ingest/${integrationId}`, { method: 'POST', ...call })),
      );
    });
    const stream = `/workspaces/${victim.full.workspaceId}/events/stream?since=2020-01-01T00:00:00Z`;
    void repeat(300, () => askAndIgnore(victim, stream));
  },
  arrays(victim) {
    const bodies: [path: string, body: string][] = [
      ['/webhooks', `{"url":"https://example.com","events":[${repeated('1', 500_000)}]}`],
      [
        `/workspaces/${victim.full.workspaceId}/api-keys`,
        `{"name":"a","scopes":[${repeated('1', 500_000)}]}`,
      ],
      ['/integrations/connect', `{"provider":"custom","credentials":{${repeated('"a":"b"', 70_000)}}}`],
      [`/workspaces/${victim.full.workspaceId}/events/batch`, `{"events":[${repeated('{}', 300_000)}]}`],
    ];
    for (const [path, body] of bodies)
      void repeat(1, async () => void (await ask(victim, path, { method: 'POST', body })));
  },
  pipelined(victim) {
    void repeat(100, () => flood(victim));
  },
  async crowd(victim) {
    for (let readers = 0; readers < READERS; readers += 50)
      await Promise.all(Array.from({ length: 50 }, () => follow(victim)));
    const path = `/workspaces/${victim.crowd.workspaceId}/events`;
    publishing = repeat(1, async () => {
      const started = performance.now();
      const tail = await ask(victim, path, { method: 'POST', body: '{"type":"crowd","payload":{"n":1}}' });
      damage.publishMs.push(performance.now() - started);
      const id = /"event_id":"(\w+)"/.exec(tail)?.[1];
      if (id !== undefined) {
        damage.published.push(id);
        damage.expected += READERS;
      }
      await pause(1_000 / EVENTS_PER_S);
    });
  },
};

const methods = {
  /** Begins attacks; resolves when they are under way. */
  async start({ victim, attacks }: { victim: Victim; attacks: readonly AttackName[] }): Promise<void> {
    for (const name of attacks) await ATTACKS[name](victim);
  },
  /** Stops the attacks, and waits at most `withinMs` for events that are still on their way. */
  async stop({ withinMs }: { withinMs: number }): Promise<Damage> {
    attack.abort();
    await publishing;
    const deadline = performance.now() + withinMs;
    while (damage.streamed < damage.expected && performance.now() < deadline) await pause(PAUSE_MS);
    for (const end of ends) end();
    await Promise.race([Promise.all(running), pause(withinMs)]);
    return damage;
  },
};

export type AttackMethods = typeof methods;

answerParent(methods);
