import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { unwrap } from '@hubline/webhooks';
import { sign } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import type { ReceivedCall } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';
import { deliveriesOf, newWebhook, receiver, SECRET } from '../delivery/support.ts';

// The package's main file is JSON.
const collection = createRequire(import.meta.url)('@octokit/webhooks-examples') as {
  name: string;
  examples: object[];
}[];

let server: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  server = await startWorkspace({ env: { HUBLINE_CREDENTIAL_CHECK: 'skip' } });
});
afterAll(() => server.stop());

let workspace: TestWorkspace;
let integrationId: string;
let url: string;
let secret: string;
beforeEach(async () => {
  workspace = await newWorkspace(server);
  const connected = await workspace.api.call('integrations.connect', {
    body: {
      workspace_id: workspace.workspaceId,
      provider: 'github',
      credentials: { token: 'ghp_not_checked' },
    },
  });
  integrationId = connected.integration_id;
  url = connected.ingest.url;
  secret = connected.ingest.secret ?? '';
});

interface Hook {
  event?: string;
  guid?: string;
  body: string | Buffer;
  headers?: Record<string, string>;
}

/** A call as GitHub makes it. */
async function send({ event = 'push', guid = randomUUID(), body, headers }: Hook) {
  // GitHub's own library signs text. For bytes that are not text, the test passes the signature in a header.
  const signature = typeof body === 'string' ? { 'x-hub-signature-256': await sign(secret, body) } : {};
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/044aadd',
      'x-github-event': event,
      'x-github-delivery': guid,
      ...signature,
      ...headers,
    },
  });
  const text = await response.text();
  return { status: response.status, text, json: text.startsWith('{') ? (JSON.parse(text) as unknown) : null };
}

async function listEvents() {
  const { data } = await workspace.api.call('events.list', {
    params: { id: workspace.workspaceId },
    query: { limit: '100' },
  });
  return data;
}

const integration = () => workspace.api.call('integrations.get', { params: { integrationId } });

/** The raw text of every event of the workspace, by ID, as the API sends it. */
async function rawEvents(): Promise<Map<string, string>> {
  const raw = new Map<string, string>();
  for (let cursor: string | null = ''; cursor !== null;) {
    const path = `/workspaces/${workspace.workspaceId}/events?limit=100${cursor && `&cursor=${cursor}`}`;
    const { text, json } = await workspace.api.request('GET', path);
    for (const piece of text.split('{"event_id":"').slice(1)) {
      const [id = ''] = piece.split('"', 1);
      expect(raw.has(id)).toBe(false);
      raw.set(id, piece);
    }
    cursor = (json as { pagination: { next_cursor: string | null } }).pagination.next_cursor;
  }
  return raw;
}

it("every payload of GitHub's own collection goes in once, comes out untouched, and is delivered", async () => {
  const delivered: ReceivedCall[] = [];
  const problems: unknown[] = [];
  const witness = await receiver(async (call) => {
    try {
      const event = await unwrap(
        { body: call.bytes, headers: call.headers },
        { secret: SECRET, requireTimestamp: true },
      );
      if (event.type === 'event.created') delivered.push(call);
    } catch (error) {
      problems.push(error);
    }
    return { status: 204 };
  });
  await newWebhook(workspace, witness.url);

  const hooks = collection.flatMap(({ name, examples }) =>
    // Whitespace is part of a payload, so every second one has some.
    examples.map((payload, index) => ({
      event: name,
      body: index % 2 ? JSON.stringify(payload, null, 2) : JSON.stringify(payload),
    })),
  );
  expect(hooks).toHaveLength(329);
  const accepted = new Map<string, string>();
  for (const hook of hooks) {
    const { status, json } = await send(hook);
    if (hook.event === 'ping') {
      expect([status, json]).toEqual([200, { status: 'ignored', reason: expect.any(String) }]);
      continue;
    }
    expect([status, json]).toEqual([202, { status: 'accepted', event_id: expect.any(String) }]);
    accepted.set((json as { event_id: string }).event_id, hook.body);
  }
  expect(accepted.size).toBe(325);

  const raw = await rawEvents();
  expect([...raw.keys()].toSorted()).toEqual([...accepted.keys()].toSorted());
  for (const [id, body] of accepted) expect(raw.get(id)?.includes(`"payload":${body},`)).toBe(true);

  await until('every event is delivered', () => delivered.length === accepted.size);
  expect(problems).toEqual([]);
  for (const call of delivered) {
    const { event } = JSON.parse(call.body) as { event: { id: string } };
    expect(call.body.includes(`"payload":${accepted.get(event.id) ?? 'nothing'}`)).toBe(true);
    accepted.delete(event.id);
  }
  expect(accepted.size).toBe(0);
});

describe('a call of GitHub', () => {
  const body = JSON.stringify({
    ref: 'refs/heads/main',
    commits: [],
    repository: { full_name: 'acme/site' },
  });

  it('that comes again is a duplicate, even when both come at once', async () => {
    const guid = randomUUID();
    const twins = await Promise.all(Array.from({ length: 5 }, () => send({ guid, body })));
    expect(twins.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 202]);
    const again = await send({ guid, body });
    expect(again).toMatchObject({ status: 200, json: { status: 'duplicate' } });
    const [event, ...others] = await listEvents();
    expect(others).toEqual([]);
    for (const { json } of [...twins, again]) expect(json).toMatchObject({ event_id: event?.event_id });
  });

  it('with the same ID at another integration is another event', async () => {
    const guid = randomUUID();
    await send({ guid, body });
    const elsewhere = await newWorkspace(server);
    const other = await elsewhere.api.call('integrations.connect', {
      body: { workspace_id: elsewhere.workspaceId, provider: 'github', credentials: { token: 'ghp_other' } },
    });
    [url, secret] = [other.ingest.url, other.ingest.secret ?? ''];
    expect(await send({ guid, body })).toMatchObject({ status: 202 });
  });

  it.each<[string, (signature: string) => Record<string, string>]>([
    ['whose signature has one other digit', (signature) => ({ 'x-hub-signature-256': flip(signature) })],
    ['whose signature is followed by garbage', (signature) => ({ 'x-hub-signature-256': `${signature}zz` })],
    ['whose signature is cut', (signature) => ({ 'x-hub-signature-256': signature.slice(0, -1) })],
    ['with two signatures', (signature) => ({ 'x-hub-signature-256': `${signature}, ${signature}` })],
    ['with an empty signature', () => ({ 'x-hub-signature-256': '' })],
    ['with the older signature alone', () => ({ 'x-hub-signature-256': '', 'x-hub-signature': 'sha1=00' })],
    [
      'with its signature in the Authorization header alone',
      (signature) => ({ 'x-hub-signature-256': '', authorization: signature }),
    ],
  ])('%s is refused, and leaves nothing', async (_what, change) => {
    const headers = change(await sign(secret, body));
    expect(await send({ body, headers })).toMatchObject({
      status: 401,
      json: { error: { code: 'unauthorized' } },
    });
    expect(await listEvents()).toEqual([]);
  });

  it('with one changed byte is refused, and leaves nothing', async () => {
    const signature = await sign(secret, body);
    const changed = Buffer.from(body);
    changed[20] = (changed[20] ?? 0) ^ 1;
    const headers = { 'x-hub-signature-256': signature };
    expect(await send({ body: changed, headers })).toMatchObject({ status: 401 });
    expect(await send({ body: Buffer.from(`${body}\n`), headers })).toMatchObject({ status: 401 });
    expect(await send({ body: Buffer.from(body), headers })).toMatchObject({ status: 202 });
    expect(await listEvents()).toHaveLength(1);
  });

  it('as a form means the same', async () => {
    const form = new URLSearchParams({ payload: body }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await send({ body: form, headers })).toMatchObject({ status: 202 });
    const raw = [...(await rawEvents()).values()];
    expect(raw).toHaveLength(1);
    expect(raw[0]).toContain(`"payload":${body},`);
  });

  it.each([
    ['that is not JSON', 'not json'],
    ['that is a list', '[1]'],
    ['that nests too deeply', `{"a":${'['.repeat(70)}${']'.repeat(70)}}`],
    ['that is nothing but space', ' '],
  ])('%s is refused after its signature was checked', async (_what, malformed) => {
    expect(await send({ body: malformed })).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_request' } },
    });
    expect(await send({ body: malformed, headers: { 'x-hub-signature-256': 'sha256=00' } })).toMatchObject({
      status: 401,
    });
    expect(await listEvents()).toEqual([]);
  });

  it('to an integration that does not exist, or no longer does, gets a 404', async () => {
    await send({ body });
    await workspace.api.call('integrations.disconnect', {
      params: { id: workspace.workspaceId, integrationId },
    });
    expect(await send({ body })).toMatchObject({ status: 404, json: { error: { code: 'not_found' } } });
    const unknown = url.replace(integrationId, 'int_01kdyak348bdpc0vje89vhsk4b');
    for (const wrong of [unknown, url.replace(integrationId, 'int_nonsense')]) {
      url = wrong;
      expect(await send({ body })).toMatchObject({ status: 404 });
    }
    expect(await listEvents()).toHaveLength(1);
  });

  it('to the Slack URL of the same integration gets a 404', async () => {
    url = `${url}/slack?token=${secret}`;
    expect(await send({ body: '{"text":"hi"}' })).toMatchObject({ status: 404 });
  });
});

it('a ping proves the connection: an integration that waited for it is connected', async () => {
  const elsewhere = await newWorkspace(server);
  const waiting = await elsewhere.api.call('integrations.create', {
    body: { type: 'github', workspace_id: elsewhere.workspaceId, config: {} },
  });
  expect(waiting.status).toBe('disconnected');
  [workspace, integrationId] = [elsewhere, waiting.integration_id];
  [url, secret] = [waiting.ingest.url, waiting.ingest.secret ?? ''];

  const ping = { event: 'ping', body: '{"zen":"Keep it logically awesome."}' };
  expect(await send({ ...ping, headers: { 'x-hub-signature-256': 'sha256=00' } })).toMatchObject({
    status: 401,
  });
  expect((await integration()).status).toBe('disconnected');
  expect(await send(ping)).toMatchObject({ status: 200, json: { status: 'ignored' } });
  expect(await integration()).toMatchObject({ status: 'connected', last_synced_at: expect.any(String) });
  expect([await listEvents(), await deliveriesOf(workspace)]).toEqual([[], []]);
});

const flip = (signature: string) => signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0');
