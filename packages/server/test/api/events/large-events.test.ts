import { createHmac } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { LIMITS } from '@hubline/contract';
import { unwrap } from '@hubline/webhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { newStranger, newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

const MIB = 1024 * 1024;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;

beforeAll(async () => {
  root = await startWorkspace({ stallMs: 4_000, flags: { httpThread: 'on' } });
});
afterAll(() => root.stop());
beforeEach(async () => {
  workspace = await newWorkspace(root);
});

/** Connects a custom integration. Returns a function that sends signed calls to it. */
async function connectHook(at = workspace): Promise<(body: string) => Promise<string>> {
  const { ingest } = await at.api.call('integrations.connect', {
    body: { provider: 'custom', workspace_id: at.workspaceId, credentials: {} },
  });
  return async (body) => {
    const signature = createHmac('sha256', ingest.secret ?? '')
      .update(body)
      .digest('hex');
    const response = await fetch(ingest.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Hub-Signature-256': `sha256=${signature}` },
      body,
    });
    expect(response.status).toBe(202);
    return ((await response.json()) as { event_id: string }).event_id;
  };
}

let counter = 0;

/** JSON of about this many bytes, in a form that parsing and printing would change. */
function jsonOf(bytes: number): string {
  counter += 1;
  const line = `{"n": 1.0, "text": "é\\u00e9 😀 ${'x'.repeat(1_000)}", "big": 12345678901234567890},\n\t`;
  return `{ "id": ${counter}, "items": [${line.repeat(Math.ceil(bytes / Buffer.byteLength(line)))}{}] }`;
}

const eventPath = (id: string) => `/workspaces/${workspace.workspaceId}/events/${id}`;

interface Listed {
  event_id: string;
  payload: object | null;
  payload_omitted?: true;
}

/** Reads all pages of a list. */
async function readPages(path: string): Promise<Listed[][]> {
  const pages: Listed[][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { status, text, json } = await workspace.api.request('GET', `${path}?limit=100${query}`);
    expect(status).toBe(200);
    expect(Buffer.byteLength(text)).toBeLessThan(LIMITS.pageBytes + 1_000);
    const { data, pagination } = json as {
      data: Listed[];
      pagination: { next_cursor: string | null; has_more: boolean };
    };
    expect(pagination.has_more).toBe(pagination.next_cursor !== null);
    pages.push(data);
    cursor = pagination.next_cursor;
  }
  return pages;
}

const used = async (budget: string, at: TestWorkspace = root) => {
  const text = await (await fetch(`${at.server.url}/metrics`)).text();
  return Number(
    new RegExp(`^hubline_budget_used_bytes\\{budget="${budget}"\\} (\\d+)$`, 'm').exec(text)?.[1],
  );
};

/** Opens a connection that sends a request and reads nothing of the response. */
function askAndIgnore(path: string, at = workspace): Socket {
  const { port, hostname } = new URL(at.server.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.pause();
  socket.write(`GET /v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${at.api.key}\r\n\r\n`);
  return socket;
}

/** Reads a stream until it has this many events. Returns them as received. */
async function readStream(
  count: number,
  headers: Record<string, string> = {},
  query = '',
): Promise<Listed[]> {
  const gone = new AbortController();
  const response = await fetch(
    `${workspace.api.baseUrl}/workspaces/${workspace.workspaceId}/events/stream${query}`,
    {
      headers: { Authorization: `Bearer ${workspace.api.key}`, ...headers },
      signal: gone.signal,
    },
  );
  const events: Listed[] = [];
  let blocks: string[] = [];
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    blocks.push(chunk);
    if (!chunk.includes('\n\n')) continue;
    const parts = blocks.join('').split('\n\n');
    blocks = [parts.pop() ?? ''];
    for (const part of parts) {
      const data = part.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
      if (data.length > 0) events.push(JSON.parse(data.join('\n')) as Listed);
    }
    if (events.length >= count) break;
  }
  gone.abort();
  return events;
}

describe('an event of 9 MiB', () => {
  it('is delivered and read by its ID byte for byte, and lists leave its payload out', async () => {
    await using receiver = await startReceiver();
    await workspace.api.call('webhooks.create', {
      body: {
        url: receiver.url,
        events: ['event.created'],
        workspace_id: workspace.workspaceId,
        secret: SECRET,
      },
    });
    const send = await connectHook();
    const payload = jsonOf(9 * MIB);
    const id = await send(payload);

    const { text, headers } = await workspace.api.request('GET', eventPath(id));
    expect(text.includes(`"payload":${payload},`)).toBe(true);
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect((await workspace.api.request('HEAD', eventPath(id))).text).toBe('');

    const call = await until('the delivery', () => receiver.calls[0]);
    expect(call.body.includes(`"payload":${payload}}`)).toBe(true);
    await unwrap({ body: call.bytes, headers: call.headers }, { secret: SECRET });

    const { data } = await workspace.api.call('events.list', { params: { id: workspace.workspaceId } });
    expect(data).toMatchObject([{ event_id: id, payload: null, payload_omitted: true }]);
    const deliveries = await workspace.api.call('deliveries.list', { params: { id: workspace.workspaceId } });
    const params = { deliveryId: deliveries.data[0]?.id ?? '' };
    const detail = await workspace.api.call('deliveries.get', { params });
    expect(detail).toMatchObject({ request_body: null, request_body_omitted: true });
    await until(
      'the memory to be free',
      async () => (await used('deliveries')) + (await used('responses')) === 0,
    );
  });
});

describe('a published event', () => {
  it.each([10, 70_000, 1_000_000])('with a payload of %d bytes comes back as it was sent', async (bytes) => {
    await using receiver = await startReceiver();
    await workspace.api.call('webhooks.create', {
      body: {
        url: receiver.url,
        events: ['event.created'],
        workspace_id: workspace.workspaceId,
        secret: SECRET,
      },
    });
    const payload = jsonOf(bytes);
    const publish = () =>
      workspace.api.request('POST', `/workspaces/${workspace.workspaceId}/events`, {
        text: `{"type":"large","payload":${payload}}`,
        headers: { 'Idempotency-Key': `of-${bytes}` },
      });
    const [first, again] = [await publish(), await publish()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(first.text.includes(`"payload":${payload},`)).toBe(true);
    expect(again.text === first.text).toBe(true);
    const { event_id: id } = first.json as { event_id: string };
    expect((await workspace.api.request('GET', eventPath(id))).text === first.text).toBe(true);
    const list = await workspace.api.request('GET', `/workspaces/${workspace.workspaceId}/events`);
    expect(list.text.includes(first.text)).toBe(true);

    const call = await until('the delivery', () => receiver.calls[0]);
    expect(call.body.includes(`"payload":${payload}}`)).toBe(true);
    await unwrap({ body: call.bytes, headers: call.headers }, { secret: SECRET });
    const { data } = await workspace.api.call('deliveries.list', { params: { id: workspace.workspaceId } });
    const { request_body } = await workspace.api.call('deliveries.get', {
      params: { deliveryId: data[0]?.id ?? '' },
    });
    expect(request_body === call.body).toBe(true);
  });
});

describe('an event of 24 MiB', () => {
  it('that clients request but do not read leaves others half of the memory for responses', async () => {
    // This server has the usual timeouts: it keeps the response longer than other callers would wait for its memory.
    const patient = await startWorkspace();
    onTestFinished(() => patient.stop());
    const id = await (await connectHook(patient))(jsonOf(24 * MIB));
    for (let count = 0; count < 3; count++)
      askAndIgnore(`/workspaces/${patient.workspaceId}/events/${id}`, patient);
    await until('the response to be held', async () => (await used('responses', patient)) > 20 * MIB);
    const other = await newStranger(patient);
    await other.api.call('events.list', { params: { id: other.workspaceId }, query: { limit: '100' } });
    expect(await used('responses', patient)).toBeGreaterThan(20 * MIB);
  });
});

describe('of events of 5, 4, 8.5 and 0.01 MiB', () => {
  const sizes = [5, 4, 8.5, 0.01];
  const omitted = [false, false, true, false];
  let full: TestWorkspace;
  let sent: string[];

  beforeAll(async () => {
    full = await newWorkspace(root);
    const send = await connectHook(full);
    sent = [];
    for (const size of sizes) sent.push(await send(jsonOf(size * MIB)));
  });
  beforeEach(() => {
    workspace = full;
  });

  it('a page has at most 8 MiB, and the next one continues where it ended', async () => {
    const pages = await readPages(`/workspaces/${workspace.workspaceId}/events`);
    // From the newest to the oldest, in MiB: 0.01, 8.5 (left out) and 4 on the first page, 5 on the second.
    expect(pages.map(({ length }) => length)).toEqual([3, 1]);
    const listed = pages.flat().reverse();
    expect(listed.map(({ event_id: id }) => id)).toEqual(sent);
    expect(listed.map(({ payload }) => payload === null)).toEqual(omitted);
    expect(listed.map((event) => event.payload_omitted === true)).toEqual(omitted);
    // The list over all workspaces of the caller is bounded as well.
    const { data, pagination } = await workspace.api.call('events.listAll', { query: { limit: '100' } });
    expect(data.length).toBeLessThan(100);
    expect(pagination.has_more).toBe(true);
  });

  it('pages that nobody reads take at most half of the memory for responses, and others are served', async () => {
    for (let count = 0; count < 12; count++) askAndIgnore(`/workspaces/${workspace.workspaceId}/events`);
    await until('responses to be held', async () => (await used('responses')) > 10 * MIB);
    // Half of the memory for responses: one caller gets no more.
    expect(await used('responses')).toBeLessThanOrEqual(20 * MIB);
    const other = await newStranger(root);
    const body = { type: 'large', payload: { text: 'x'.repeat(500_000) } };
    await other.api.call('events.publish', { params: { id: other.workspaceId }, body });
    const { data } = await other.api.call('events.list', { params: { id: other.workspaceId } });
    expect(data[0]?.payload).toEqual(body.payload);
  });

  it('a stream has payloads up to 8 MiB, and leaves out a larger one', async () => {
    const events = await readStream(sizes.length, {}, '?since=2020-01-01T00:00:00Z');
    expect(events.map(({ event_id: id }) => id)).toEqual(sent);
    expect(events.map(({ payload }) => payload === null)).toEqual(omitted);
    expect(events.map((event) => event.payload_omitted === true)).toEqual(omitted);
    expect(events[3]).toEqual((await workspace.api.request('GET', eventPath(sent[3] ?? ''))).json);
  });

  it('a stream that nobody reads holds one event at a time, ends, and can be continued where it ended', async () => {
    const path = `/workspaces/${workspace.workspaceId}/events/stream?since=2020-01-01T00:00:00Z`;
    const sockets = Array.from({ length: 8 }, () => askAndIgnore(path));
    await until('events to be held', async () => (await used('streams')) > 3 * MIB);
    // Half of the memory for streams: one workspace gets no more.
    expect(await used('streams')).toBeLessThanOrEqual(16 * MIB);
    // A client that reads is served at the same time.
    expect(await readStream(sizes.length, {}, '?since=2020-01-01T00:00:00Z')).toHaveLength(sizes.length);
    await until('nothing to be held', async () => (await used('streams')) === 0);
    // The clients can still read what was on its way when they were disconnected, and no more.
    await Promise.all(sockets.map((socket) => new Promise((end) => socket.once('close', end).resume())));
    const rest = await readStream(sizes.length - 1, { 'Last-Event-ID': sent[0] ?? '' });
    expect(rest.map(({ event_id: id }) => id)).toEqual(sent.slice(1));
  });
});
