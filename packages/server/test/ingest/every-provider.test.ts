import { request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { CREDENTIALS, LIMITS } from '@hubline/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { providers } from '../../src/providers/registry.ts';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import { type Receiver, type ReceiverResponse, startReceiver } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';
import type { Calls, Tool } from './tools/tool.ts';
import { TOOLS } from './tools/tools.ts';

const names = Object.keys(TOOLS);
const receiving = Object.entries(TOOLS).flatMap(([name, tool]) =>
  tool.calls ? [{ name, tool, calls: tool.calls }] : [],
);
const sending = Object.entries(TOOLS).flatMap(([name, tool]) => (tool.calls ? [] : [{ name, tool }]));

/** Replaces the responses of APIs, by provider. */
const instead = new Map<string, ReceiverResponse | Promise<ReceiverResponse>>();
const apis = new Map<string, Receiver>();
/** The addresses of the APIs. */
const env: Record<string, string> = {};
let server: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;

beforeAll(async () => {
  for (const key of providers.keys()) {
    const tools = Object.values(TOOLS).filter(({ provider }) => provider === key);
    const api = await startReceiver((call) => {
      const other = instead.get(key);
      if (other) return other;
      for (const tool of tools) {
        const response = tool.api(call);
        if (response) return response;
      }
      return { status: 404, body: { message: 'Not Found' } };
    });
    apis.set(key, api);
    env[`HUBLINE_${key.toUpperCase()}_API_URL`] = `${api.url}${tools[0]?.apiPath ?? ''}`;
  }
  server = await startWorkspace({ env });
});
afterAll(async () => {
  await server.stop();
  for (const api of apis.values()) await api.stop();
});
beforeEach(async () => {
  instead.clear();
  workspace = await newWorkspace(server);
});

it('the table has a row for every way to connect every provider', () => {
  const ways = [...providers.keys()].flatMap((key) => {
    const methods = providers.get(key)?.methods ?? CREDENTIALS[key as keyof typeof CREDENTIALS];
    return Object.keys(methods).map((method) => `${key} ${method}`);
  });
  expect(names.toSorted()).toEqual(ways.toSorted());
});

const here = (tool: Tool, text: string) => {
  const { url = '' } = apis.get(tool.provider) ?? {};
  return text.replace('{api}', url).replace('{host}', new URL(url).host);
};
const connection = (tool: Tool, at: TestWorkspace = workspace) => ({
  body: {
    workspace_id: at.workspaceId,
    provider: tool.provider,
    credentials: Object.fromEntries(
      Object.entries(tool.credentials).map(([name, value]) => [name, here(tool, value)]),
    ),
    config: tool.channel === undefined ? {} : { channel: tool.channel },
  },
});

/** An integration whose provider can call. */
interface Source {
  id: string;
  url: string;
  secret: string;
}

async function connect(tool: Tool, at: TestWorkspace = workspace): Promise<Source> {
  const made = await at.api.call('integrations.connect', connection(tool, at));
  const source = {
    id: made.integration_id,
    url: made.ingest.url,
    secret: tool.calls?.secret ?? made.ingest.secret ?? '',
  };
  const { handshake } = tool.calls ?? {};
  // No call is accepted until the handshake has brought the secret.
  if (handshake?.unsigned) await send(source.url, handshake.body);
  return source;
}

type Header = readonly [name: string, value: string];

/** Sends headers exactly as they are, even if one is repeated. */
async function send(url: string, body: string, proof: Record<string, string> = {}, also: Header[] = []) {
  const headers = [['content-type', 'application/json'], ...Object.entries(proof), ...also].flat();
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const length: Header[] = also.some(([name]) => name === 'content-length')
      ? []
      : [['content-length', String(Buffer.byteLength(body))]];
    const sent = request(url, {
      method: 'POST',
      headers: [...headers, ...length.flat(), 'host', new URL(url).host],
      agent: false,
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      textOf(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
    });
    // The body never comes: only its length is sent.
    if (length.length === 0) sent.flushHeaders();
    else sent.end(body);
  });
}

let ids = 0;
/** The next event of a tool, with its proof. */
function signed(calls: Calls, secret: string, { at = new Date(), padding = '' } = {}) {
  ids += 1;
  const id = `call-${ids}`;
  const body = calls.event({ at, id, ...(padding && { padding }) });
  return { body, proof: calls.prove({ secret, body, at, id }), id, at };
}

const eventsOf = async ({ api, workspaceId }: TestWorkspace = workspace) =>
  (await api.call('events.list', { params: { id: workspaceId } })).data;
const statusOf = async (integrationId: string) => {
  const shown = await workspace.api.call('integrations.get', { params: { integrationId } });
  return [shown.status, shown.status_detail?.code ?? null];
};

describe.each(receiving)('a call of $name', ({ tool, calls }) => {
  const refused = { status: 401 };
  const [created, again] = calls.success.map(({ status, body }) => ({
    status,
    ...(body === undefined ? {} : { text: body }),
  }));

  it('makes one event, however often it comes, and none once the integration is disconnected', async () => {
    const { id, url, secret } = await connect(tool);
    const { body, proof } = signed(calls, secret);
    expect(await send(url, body, proof)).toMatchObject(created ?? {});
    expect(await send(url, body, proof)).toMatchObject(again ?? {});
    const events = await eventsOf();
    expect(events).toMatchObject([{ type: calls.type, payload: JSON.parse(body) as object }]);
    expect(events[0]?.summary).toMatchObject(calls.summary ?? {});
    expect(await statusOf(id)).toEqual(['connected', null]);

    const params = { id: workspace.workspaceId, integrationId: id };
    await workspace.api.call('integrations.disconnect', { params });
    expect(await send(url, body, proof)).toMatchObject({ status: 404 });
    expect(await eventsOf()).toHaveLength(1);
    const { removes } = tool;
    if (removes)
      await until('its webhook is removed', () => apis.get(tool.provider)?.calls.some(removes) ?? false);
  });

  it('is refused without a proof, with a wrong one, with two, and for another body', async () => {
    const { id: integrationId, url, secret } = await connect(tool);
    const { body, proof, id, at } = signed(calls, secret);
    const wrong = calls.prove({ secret: `${secret.slice(0, -1)}~`, body, at, id });
    expect(await send(url, body)).toMatchObject(refused);
    // The person who sets it up sees that calls arrive, and why they are refused.
    const { status_detail } = await workspace.api.call('integrations.get', { params: { integrationId } });
    expect(status_detail).toMatchObject({
      code: 'awaiting_hook',
      message: expect.stringMatching(/^A call arrived at \S+ and was refused: .+\. Compare the secret at /),
    });
    expect(await send(url, body, wrong)).toMatchObject(refused);
    for (const [name, value] of Object.entries(proof))
      for (const also of [value, 'x'])
        expect(await send(url, body, proof, [[name, also]])).toMatchObject(
          name === 'idempotency-key' ? { status: 400 } : refused,
        );
    // A token proves who calls, but says nothing about the body.
    const other = calls.prove({ secret, body: `${body} `, at, id });
    if (JSON.stringify(other) !== JSON.stringify(proof))
      expect(await send(url, `${body} `, proof)).toMatchObject(refused);
    expect(await eventsOf()).toEqual([]);
    expect(await send(url, body, proof)).toMatchObject(created ?? {});
  });

  it('is refused when it is old, and one without a time is recognized by its ID', async () => {
    const { url, secret } = await connect(tool);
    const age = (calls.maxAge ?? 3_600) + 5;
    const old = signed(calls, secret, { at: new Date(Date.now() - age * 1_000) });
    const early = signed(calls, secret, { at: new Date(Date.now() + age * 1_000) });
    if (calls.maxAge !== null) {
      for (const call of [old, early]) expect(await send(url, call.body, call.proof)).toMatchObject(refused);
      expect(await eventsOf()).toEqual([]);
      return;
    }
    expect(await send(url, old.body, old.proof)).toMatchObject(created ?? {});
    expect(await send(url, old.body, old.proof)).toMatchObject(again ?? {});
    expect(await eventsOf()).toHaveLength(1);
  });

  it('that is signed and unreadable is refused with 400, and makes no event', async () => {
    const { url, secret } = await connect(tool);
    for (const body of ['{"a":', '\u{0}']) {
      const proof = calls.prove({ secret, body, at: new Date(), id: 'unreadable' });
      // Linear's signed time is in the body, so an unreadable body proves nothing.
      expect((await send(url, body, proof)).status).toBe(tool.provider === 'linear' ? 401 : 400);
    }
    expect(await eventsOf()).toEqual([]);
  });

  // The maximum size does not depend on the way to connect, so one way for each provider is enough.
  const isFirst = receiving.find((each) => each.tool.provider === tool.provider)?.tool === tool;
  it.runIf(isFirst)('of 25 MB is taken, and one that says it has a byte more is not even read', async () => {
    const { id, url, secret } = await connect(tool);
    const at = new Date();
    const empty = Buffer.byteLength(calls.event({ at, id: 'large', padding: '.' })) - 1;
    const body = calls.event({ at, id: 'large', padding: 'x'.repeat(LIMITS.ingestBodyBytes - empty) });
    expect(Buffer.byteLength(body)).toBe(LIMITS.ingestBodyBytes);
    const proof = calls.prove({ secret, body, at, id: 'large' });
    expect(await send(url, body, proof)).toMatchObject(created ?? {});
    const { last_event } = await workspace.api.call('integrations.get', { params: { integrationId: id } });
    expect(last_event).toMatchObject({ type: calls.type });
    expect(
      await send(url, '', proof, [['content-length', String(LIMITS.ingestBodyBytes + 1)]]),
    ).toMatchObject({ status: 413 });
  });

  const { handshake } = calls;
  it.runIf(handshake)('that confirms the URL gets the expected response, and nobody else does', async () => {
    if (!handshake) return;
    const { integration_id, ingest } = await workspace.api.call('integrations.connect', connection(tool));
    const secret = calls.secret ?? '';
    const prove = (body: string, by = secret) =>
      handshake.unsigned ? {} : calls.prove({ secret: by, body, at: new Date(), id: 'handshake' });
    const { response, body, wrong } = handshake;
    if (!handshake.unsigned) {
      expect(await send(ingest.url, body, prove(body, 'another'))).toMatchObject(refused);
      expect(await send(ingest.url, body)).toMatchObject(refused);
    }
    const confirmed = { status: response.status, text: response.body ?? '' };
    expect(await send(ingest.url, body, prove(body))).toMatchObject(confirmed);
    // The first token counts: nobody else may replace it.
    if (handshake.unsigned) expect(await send(ingest.url, wrong)).toMatchObject(refused);
    expect(await eventsOf()).toEqual([]);
    const event = signed(calls, secret);
    expect(await send(ingest.url, event.body, event.proof)).toMatchObject(created ?? {});
    expect(await statusOf(integration_id)).toEqual(['connected', null]);
  });
});

it.each(sending)('$name waits for no call, and accepts none', async ({ tool }) => {
  const made = await workspace.api.call('integrations.connect', connection(tool));
  expect(made).toMatchObject({ status: 'connected', status_detail: null });
  expect(JSON.stringify(made)).not.toMatch(/sig=|services\/T|webhooks\/\d/);
  expect(await send(made.ingest.url, '{}')).toMatchObject({ status: 401 });
  for (const { tool: other, calls } of receiving.filter((each) => each.tool.provider === tool.provider)) {
    const { body, proof } = signed(calls, other.calls?.secret ?? '');
    expect(await send(made.ingest.url, body, proof)).toMatchObject({ status: 401 });
  }
});

const FAILURES: Readonly<Record<string, [response: ReceiverResponse, seconds: string]>> = {
  'a 429': [{ status: 429, body: { message: 'Slow down' }, headers: { 'retry-after': '7' } }, '7'],
  'a 500': [{ status: 500 }, '2'],
  'a page': [{ status: 200, text: '<html>Log in to the Wi-Fi</html>' }, '2'],
  nothing: [{ status: 200 }, '2'],
};

const TEST = { event_type: 'event.created', payload: { message: 'Hello' } };

describe.each(Object.entries(TOOLS))('the API of %s', (_name, tool) => {
  const checksCredentials = tool.refusals[401].field !== null;
  const connected = async () =>
    (await workspace.api.call('integrations.connect', connection(tool))).integration_id;
  const test = (integrationId: string) =>
    workspace.api.send('integrations.test', { params: { integrationId }, body: TEST });
  const taken = { status: 200, json: { success: true, destination: '' } };

  it('takes the credentials and a notification', async () => {
    const destination = here(tool, tool.destination);
    expect(await test(await connected())).toMatchObject({ ...taken, json: { success: true, destination } });
  });

  it.each([401, 403] as const)(
    'that responds with %i has refused the credentials, and the integration shows that until they are accepted',
    async (status) => {
      const { response, field, code } = tool.refusals[status];
      instead.set(tool.provider, response);
      if (field !== null)
        expect(await workspace.api.send('integrations.connect', connection(tool))).toMatchObject({
          status: 422,
          json: { error: { details: [{ field }] } },
        });
      instead.clear();
      const id = await connected();
      instead.set(tool.provider, response);
      expect(await test(id)).toMatchObject({
        status: 200,
        json: { success: false, error: expect.any(String) },
      });
      expect(await statusOf(id)).toEqual(['error', code]);
      instead.clear();
      expect(await test(id)).toMatchObject({ status: 200, json: { success: true } });
      expect((await statusOf(id))[0]).toBe('connected');
    },
  );

  it.each(Object.entries(FAILURES))(
    'that responds with %s has decided nothing: the caller must try again',
    async (what, [response, seconds]) => {
      instead.set(tool.provider, response);
      const later = { status: 503 };
      if (checksCredentials) {
        const refused = await workspace.api.send('integrations.connect', connection(tool));
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, seconds]);
      }
      instead.clear();
      const id = await connected();
      instead.set(tool.provider, response);
      const tested = await test(id);
      const isFine = tool.fine?.some((each) => each === what) ?? false;
      if (isFine) expect(tested).toMatchObject({ status: 200, json: { success: true } });
      else expect([tested.status, tested.headers.get('retry-after')]).toEqual([later.status, seconds]);
      expect((await statusOf(id))[0]).toBe('connected');
    },
  );
});

const never = new Promise<ReceiverResponse>(() => {});

it('a silent API is given up, and no other provider loses an event', async () => {
  const impatient = await startWorkspace({ env, providerTimeoutMs: 1_000 });
  onTestFinished(() => impatient.stop());
  workspace = impatient;
  // Each tool has its own workspace, because a workspace can have only one integration of a provider.
  const workspaces: TestWorkspace[] = [];
  const sources: Source[] = [];
  // One after another: each has the whole second to itself.
  for (const tool of Object.values(TOOLS)) {
    const own = await newWorkspace(impatient);
    workspaces.push(own);
    sources.push(await connect(tool, own));
  }
  for (const key of providers.keys()) instead.set(key, never);
  // All APIs hang, and garbage comes in for all integrations. The events still come in.
  const waiting = sources.map(({ id }) =>
    workspace.api.send('integrations.test', { params: { integrationId: id }, body: TEST }),
  );
  const checking = Object.values(TOOLS).filter(({ refusals }) => refusals[401].field !== null);
  const connecting = checking.map((tool) => workspace.api.send('integrations.connect', connection(tool)));
  const garbage = sources.map(({ url }) => send(url, '\u{0}'.repeat(10_000)));
  const accepted = await Promise.all(
    Object.values(TOOLS).map(async ({ calls }, index) => {
      const source = sources[index];
      if (!calls || !source) return;
      const { body, proof } = signed(calls, source.secret);
      expect(await send(source.url, body, proof)).toMatchObject({ status: calls.success[0].status });
      expect(await eventsOf(workspaces[index])).toHaveLength(1);
      return true;
    }),
  );
  expect(accepted.filter(Boolean)).toHaveLength(receiving.length);
  for (const { status } of await Promise.all([...waiting, ...connecting])) expect(status).toBe(503);
  for (const { status } of await Promise.all(garbage)) expect(status).toBe(401);
});
