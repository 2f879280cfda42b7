import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@hubline/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { DASHBOARD_HEADER } from '../../../src/http/request/session-cookie.ts';
import type { TestServerOptions } from '../../../src/testing/testing.ts';
import { checkBase } from '../support/api.ts';
import { newKey, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { raw } from '../support/raw-http.ts';
import { until } from '../support/until.ts';

const SECRET = 'a secret that only the sender knows';
const NOBODY = 'int_00000000000000000000000000';
const MIB = 1024 * 1024;

let here: (TestWorkspace & { stop(): Promise<void> }) | undefined;

afterEach(async () => {
  await here?.stop();
  here = undefined;
});

const start = async (options: TestServerOptions = {}) =>
  (here = await startWorkspace({ ...options, flags: { httpThread: 'on', ...options.flags } }));

/** Connects an integration that takes calls signed with `SECRET`. Returns its ID. */
async function connectHook(workspace: TestWorkspace): Promise<string> {
  const { integration_id: id } = await workspace.api.call('integrations.connect', {
    body: {
      provider: 'custom',
      workspace_id: workspace.workspaceId,
      credentials: { verification: 'hmac', secret: SECRET, header: 'x-signature' },
    },
  });
  return id;
}

const signatureOf = (body: string | Buffer) => createHmac('sha256', SECRET).update(body).digest('hex');

/** A JSON object of exactly this many bytes. */
const bodyOf = (bytes: number) => `{"text":"${'x'.repeat(bytes - '{"text":""}'.length)}"}`;

const hookHead = (id: string, headers: string) =>
  `POST /v1/ingest/${id} HTTP/1.1\nHost: x\nContent-Type: application/json\n${headers}\n`;

/** Opens a connection, sends this, and leaves it open. */
async function hold(workspace: TestWorkspace, head: string, body: string | Buffer = ''): Promise<Socket> {
  const { hostname, port } = new URL(workspace.server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  await new Promise((resolve) => socket.write(head.replaceAll('\n', '\r\n'), resolve));
  if (body.length > 0) socket.write(body);
  return socket;
}

/** Reads a figure of `/metrics` about request bodies. */
async function bodies(workspace: TestWorkspace, figure: string): Promise<number> {
  const text = await (await fetch(`${workspace.server.url}/metrics`)).text();
  return Number(new RegExp(`^hubline_budget_${figure}\\{budget="bodies"\\} (\\S+)$`, 'm').exec(text)?.[1]);
}

const heldBytes = (workspace: TestWorkspace, bytes: number) =>
  until(`${bytes} bytes to be held`, async () => (await bodies(workspace, 'used_bytes')) >= bytes);

describe('the target of a request is checked before a byte of its body is read', () => {
  it.each([
    ['a hook for an integration that does not exist', `/v1/ingest/${NOBODY}`, '', 404],
    ['a hook for something that is not an ID', '/v1/ingest/nonsense', '', 404],
    ['a request without a key', '/v1/workspaces', '', 401],
    ['a request with a made-up key', '/v1/workspaces', 'Authorization: Bearer hl_made_up\n', 401],
    ['an unknown route', '/v1/nothing', '', 404],
    ['a method that the route does not have', '/v1/me', '', 405],
  ])('%s', async (_, path, headers, status) => {
    const workspace = await start();
    const head = `POST ${path} HTTP/1.1\nHost: x\n${headers}Content-Length: ${LIMITS.ingestBodyBytes}\n\n`;
    const { responses, closed } = await raw(workspace.server.url, head);
    expect(responses.map((response) => response.status)).toEqual([status]);
    expect(closed).toBe(true);
    if (responses[0]) checkBase(responses[0]);
    expect(await bodies(workspace, 'used_bytes')).toBe(0);
  });

  it('a workspace that the caller is not in, and one in which the key may not write', async () => {
    const workspace = await start();
    const reader = await workspace.api.call('apiKeys.create', {
      params: { id: workspace.workspaceId },
      body: { name: 'reader', scopes: ['events:read'] },
    });
    for (const [id, key, status] of [
      ['ws_00000000000000000000000000', workspace.server.apiKey, 404],
      [workspace.workspaceId, reader.key, 403],
    ] as const) {
      const { responses } = await raw(
        workspace.server.url,
        `POST /v1/workspaces/${id}/events HTTP/1.1\nHost: x\nAuthorization: Bearer ${key}\nContent-Type: application/json\nContent-Length: ${MIB}\n\n`,
      );
      expect(responses.map((response) => response.status)).toEqual([status]);
    }
  });

  it('a client whose body would be refused is not told to continue', async () => {
    const workspace = await start();
    const expecting = `Expect: 100-continue\nContent-Length: 10\n`;
    const socket = await hold(workspace, hookHead(NOBODY, expecting));
    const text = await new Promise<string>((resolve) => {
      let received = '';
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
      socket.on('close', () => resolve(received));
    });
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
  });
});

describe('a client that is still sending when it is refused', () => {
  it('gets the response while it sends 25 MB', async () => {
    const workspace = await start();
    const response = await fetch(`${workspace.server.baseUrl}/ingest/${NOBODY}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.alloc(LIMITS.ingestBodyBytes, 'x'),
    });
    expect(response.status).toBe(404);
  });

  it.each([900_000, LIMITS.ingestBodyBytes + 1_000_000])(
    'gets the response even if it reads nothing before it has sent all of %d bytes',
    async (size) => {
      const workspace = await start();
      const body = Buffer.alloc(size, 'x');
      const socket = await hold(workspace, hookHead(NOBODY, `Content-Length: ${body.length}\n`));
      await new Promise((resolve) => socket.write(body, resolve));
      const received = (await socket.toArray()) as Buffer[];
      expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 404 /);
    },
  );

  it('can go on using its connection when little was left to send', async () => {
    const workspace = await start();
    const one = `POST /v1/workspaces HTTP/1.1\nHost: x\nContent-Length: 1000\n\n${'x'.repeat(1_000)}`;
    const { responses } = await raw(workspace.server.url, one.repeat(3), { responses: 3 });
    expect(responses.map((response) => response.status)).toEqual([401, 401, 401]);
  });
});

describe('a body that comes after its headers', () => {
  const body = '{"type":"deploy","payload":{}}';

  /**
   * Sends the headers of a publish, waits until the server asks for the body, runs `happens`, and sends the body.
   * Returns the status.
   */
  async function publishAfter(
    workspace: TestWorkspace,
    key: string,
    happens: () => unknown,
  ): Promise<string | undefined> {
    const socket = await hold(
      workspace,
      `POST /v1/workspaces/${workspace.workspaceId}/events HTTP/1.1\nHost: x\nAuthorization: Bearer ${key}\n` +
        `Content-Type: application/json\nContent-Length: ${body.length}\nExpect: 100-continue\nConnection: close\n\n`,
    );
    const closed = once(socket, 'close');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until('100 Continue', () => text.startsWith('HTTP/1.1 100 '));
    await happens();
    socket.write(body);
    await closed;
    return /^HTTP\/1\.1 ([2-5]\d\d) /m.exec(text)?.[1];
  }

  it('is refused if its key has been revoked or has expired by then', async () => {
    let now = new Date('2026-07-01T12:00:00Z');
    const workspace = await start({ clock: () => now });
    const revoked = await newKey(workspace);
    const expiring = await newKey(workspace, { expires_at: '2026-07-01T13:00:00Z' });
    expect(await publishAfter(workspace, revoked.key, () => {})).toBe('201');
    expect(
      await publishAfter(workspace, revoked.key, () =>
        workspace.api.call('apiKeys.revoke', { params: { id: workspace.workspaceId, keyId: revoked.id } }),
      ),
    ).toBe('401');
    expect(await publishAfter(workspace, expiring.key, () => (now = new Date('2026-07-01T13:00:00Z')))).toBe(
      '401',
    );
  });
});

describe('a body that anybody may send', () => {
  it.each([
    ['/v1/invitations/accept', 'application/json'],
    ['/session', 'application/json'],
    ['/setup', 'application/x-www-form-urlencoded'],
    ['/invite', 'application/x-www-form-urlencoded'],
  ])('has at most 16 KiB: %s', async (path, type) => {
    const workspace = await start();
    const { responses } = await raw(
      workspace.server.url,
      `POST ${path} HTTP/1.1\nHost: x\n${DASHBOARD_HEADER}: 1\nSec-Fetch-Site: same-origin\nContent-Type: ${type}\nContent-Length: ${LIMITS.publicBodyBytes + 1}\n\n`,
      { responses: 1 },
    );
    expect(responses.map((response) => response.status)).toEqual([413]);
  });
});

describe('the memory for bodies', () => {
  it('is shared: beyond it a hook waits a little and is then asked to come back, and other addresses are served', async () => {
    const workspace = await start({ flags: { memoryBudget: 160 } });
    const id = await connectHook(workspace);
    const large = 20 * MIB;
    // An unfinished body may come from anybody: no signature can be checked before its end.
    const holder = await hold(workspace, hookHead(id, `Content-Length: ${large}\n`), Buffer.alloc(MIB, ' '));
    await heldBytes(workspace, large);

    const body = bodyOf(large);
    const signed = `X-Signature: ${signatureOf(body)}\nContent-Length: ${large}\n`;
    const { responses } = await raw(workspace.server.url, hookHead(id, signed), { responses: 1 });
    expect(responses.map((response) => response.status)).toEqual([503]);
    expect(responses[0]?.headers.get('retry-after')).toBe('1');
    expect(await bodies(workspace, 'refused_total')).toBe(1);

    const { hostname: host, port } = new URL(workspace.server.url);
    const elsewhere = connect({ host, port: Number(port), localAddress: '127.0.1.1' });
    elsewhere.write(hookHead(id, `${signed}Connection: close\n`).replaceAll('\n', '\r\n'));
    elsewhere.write(body);
    const text = Buffer.concat((await elsewhere.toArray()) as Buffer[]).toString();
    expect(text).toMatch(/^HTTP\/1\.1 202 /);
    await workspace.api.call('events.publish', {
      params: { id: workspace.workspaceId },
      body: { type: 'deploy', payload: {} },
    });
    holder.destroy();
    await until('nothing to be held', async () => (await bodies(workspace, 'used_bytes')) === 0);
  });

  it('is given to a waiting request as soon as another is done', async () => {
    const workspace = await start();
    const id = await connectHook(workspace);
    const holder = await hold(
      workspace,
      hookHead(id, `Content-Length: ${20 * MIB}\n`),
      Buffer.alloc(MIB, ' '),
    );
    await heldBytes(workspace, 20 * MIB);
    const body = bodyOf(20 * MIB);
    const waiting = fetch(`${workspace.server.baseUrl}/ingest/${id}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Signature': signatureOf(body) },
      body,
    });
    // Long enough for the request to arrive and to wait.
    await sleep(500);
    holder.destroy();
    expect((await waiting).status).toBe(202);
  });

  it('takes a hook of 25 MiB when no other body is there, however little memory there is', async () => {
    const workspace = await start({ flags: { memoryBudget: 32 } });
    const id = await connectHook(workspace);
    const body = bodyOf(LIMITS.ingestBodyBytes);
    const response = await fetch(`${workspace.server.baseUrl}/ingest/${id}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Signature': signatureOf(body) },
      body,
    });
    expect(response.status).toBe(202);
  });

  it('counts a body of unknown length as it grows, byte by byte if need be', async () => {
    const workspace = await start();
    const id = await connectHook(workspace);
    const chunks = '1\r\nx\r\n'.repeat(100_000);
    const socket = await hold(workspace, hookHead(id, 'Transfer-Encoding: chunked\n'), chunks);
    await heldBytes(workspace, 100_000);
    expect(await bodies(workspace, 'used_bytes')).toBeLessThan(400_000);
    socket.destroy();
  });

  it('counts a body with its parsed value, which can be twenty times its text, and a payload as text alone', async () => {
    const workspace = await start({ flags: { memoryBudget: 32 } });
    const thousand = `[${'{},'.repeat(999)}{}]`;
    const items = `[${`${thousand},`.repeat(329)}${thousand}]`;
    const send = (text: string) =>
      workspace.api.request('POST', `/workspaces/${workspace.workspaceId}/events`, { text });
    const misplaced = () => send(`{"type":"many","payload":{},"items":${items}}`);
    const holder = await hold(
      workspace,
      hookHead(await connectHook(workspace), `Content-Length: ${2 * MIB}\n`),
      Buffer.alloc(MIB, ' '),
    );
    await heldBytes(workspace, 2 * MIB);
    expect((await misplaced()).status).toBe(503);
    expect((await send(`{"type":"many","payload":{"items":${items}}}`)).status).toBe(201);
    holder.destroy();
    await until('nothing to be held', async () => (await bodies(workspace, 'used_bytes')) === 0);
    expect((await misplaced()).status).toBe(400);
  });
});

describe('an upload', () => {
  const pace = { windowMs: 200, bytesPerSecond: 10_000, deadlineMs: 60_000 };

  it.each([
    ['of known length', (id: string) => hookHead(id, `Content-Length: ${20 * MIB}\n`)],
    ['in chunks', (id: string) => `${hookHead(id, 'Transfer-Encoding: chunked\n')}100000\n`],
  ])('that stops half-way is refused with 408, and its connection ends: %s', async (_, head) => {
    const workspace = await start({ uploads: pace });
    const { responses, closed } = await raw(
      workspace.server.url,
      `${head(await connectHook(workspace))}${'x'.repeat(500_000)}`,
    );
    expect(responses.map((response) => response.status)).toEqual([408]);
    expect(closed).toBe(true);
    expect(await bodies(workspace, 'used_bytes')).toBe(0);
  });

  it('that drips byte by byte is refused with 408', async () => {
    const workspace = await start({ uploads: pace });
    const id = await connectHook(workspace);
    const socket = await hold(workspace, hookHead(id, 'Content-Length: 1000000\n'));
    const drip = setInterval(() => socket.writable && socket.write('x'), 20);
    const text = await new Promise<string>((resolve) => {
      let received = '';
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
      socket.on('close', () => resolve(received));
    });
    clearInterval(drip);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('that is not complete at its deadline is refused with 408, however fast it is', async () => {
    const workspace = await start({ uploads: { ...pace, bytesPerSecond: 0, deadlineMs: 300 } });
    const id = await connectHook(workspace);
    const { responses } = await raw(workspace.server.url, hookHead(id, 'Content-Length: 1000000\n'));
    expect(responses.map((response) => response.status)).toEqual([408]);
  });
});
