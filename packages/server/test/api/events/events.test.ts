import { LIMITS } from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { newStranger, newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { until } from '../support/until.ts';

let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
let api: Api;

beforeAll(async () => {
  root = await startWorkspace();
  workspace = await newWorkspace(root);
  ({ api } = workspace);
});
afterAll(() => root.stop());

const here = () => ({ params: { id: workspace.workspaceId } });
const countOf = async (type: string) =>
  (await api.call('events.list', { ...here(), query: { type } })).data.length;

describe('publishing an event', () => {
  it('returns the event, which can then be read', async () => {
    const event = await api.call('events.publish', {
      ...here(),
      body: { type: 'deploy', source: 'ci', payload: { ok: true }, occurred_at: '2026-01-02T03:04:05+01:00' },
    });
    expect(event).toMatchObject({
      type: 'deploy',
      source: 'ci',
      payload: { ok: true },
      workspace_id: workspace.workspaceId,
      integration_id: null,
    });
    expect(event.summary.occurred_at).toBe('2026-01-02T02:04:05.000Z');
    const params = { id: workspace.workspaceId, eventId: event.event_id };
    expect(await api.call('events.get', { params })).toEqual(event);
  });

  it('makes a summary line without secrets, which the payload keeps', async () => {
    const key = `ghp_${'aB3'.repeat(12)}`;
    const text =
      '{"type":"message","source":"slack","payload":' +
      '{"token":"CqCsBJmXoNSHaNCt3wGWYSEe","big":12345678901234567890,"event":{"text":"Hello there","channel":"C1"}}}';
    const message = await api.send('events.publish', { ...here(), text });
    expect(message.json).toMatchObject({ summary: { text: 'Hello there', container: { id: 'C1' } } });
    expect(message.text).toContain('"token":"CqCsBJmXoNSHaNCt3wGWYSEe","big":12345678901234567890');

    const events = [
      { type: 'login', payload: { user: 'ana', password: 'hunter2', with: key } },
      { type: 'deploy', payload: { title: `Deployed with ${key}`, severity: 'critical' } },
    ];
    await api.call('events.publishBatch', { ...here(), body: { events } });
    for (const [type, summary] of [
      ['login', { text: 'user: ana · password: [redacted] · with: [redacted]', actor: { name: 'ana' } }],
      ['deploy', { text: 'Deployed with [redacted]', severity: 'critical' }],
    ] as const) {
      const { data } = await api.call('events.list', { ...here(), query: { type, limit: '1' } });
      expect(data).toMatchObject([
        { summary, payload: events.find((event) => event.type === type)?.payload },
      ]);
    }
  });

  it.each([
    '{"big":12345678901234567890123,"small":1e-400,"float":1.0,"exp":1E5,"neg":-0}',
    '{"a":1,"a":2.0,"b":{"c":1,"c":[]}}',
    '{"escape":"\\u00e9\\u0001\\/\\ud83d\\ude00","raw":"é😀","lone":"\\ud800"}',
    '{ "space" :\t[ 1 ,\n 2 ] , "empty" : { } }',
    '{"raw-json-0:0":"raw-json-0:1","x":"\\"raw-json-0:0\\""}',
    '{"$&":"$1 $$ $`","__proto__":{"x":1},"toJSON":"no"}',
    '{"":0,"line":"\u2028"}',
    '{}',
  ])('keeps the payload as it is, everywhere: %s', async (payload) => {
    const text = `{"payload":${payload},"type":"raw"}`;
    const published = await api.send('events.publish', { ...here(), text });
    expect(published.status, published.text).toBe(201);
    expect(published.text).toContain(`"payload":${payload},`);
    const { event_id: eventId } = published.json as { event_id: string };
    const read = await api.send('events.get', { params: { id: workspace.workspaceId, eventId } });
    const list = await api.send('events.list', { ...here(), query: { type: 'raw', limit: '1' } });
    const all = await api.send('events.listAll', {
      query: { workspace_id: workspace.workspaceId, limit: '1' },
    });
    for (const response of [read, list, all]) expect(response.text).toContain(`"payload":${payload},`);
    const batch = await api.send('events.publishBatch', {
      ...here(),
      text: `{"events":[{"type":"x","payload":{}}, {"payload":${payload} , "type":"raw"}]}`,
    });
    const second = (batch.json as { data: { event_id: string }[] }).data[1]?.event_id ?? '';
    const stored = await api.send('events.get', { params: { id: workspace.workspaceId, eventId: second } });
    expect(stored.text).toContain(`"payload":${payload},`);
  });

  describe('with a payload of a hundred thousand values', () => {
    const points = `[${'[1.0,{}],'.repeat(40_000)}12345678901234567890]`;
    const payload = `{"points": ${points}, "actor": {"name": "Mona"}, "n":1, "n":2.0, "text": "A long \\"run\\" is over"}`;

    it('keeps it as it came, alone and in a batch, and has a summary', async () => {
      const { text } = await api.send('events.publish', {
        ...here(),
        text: `{"payload":${payload},"type":"run"}`,
      });
      expect(text).toContain(`"payload":${payload},`);
      expect(JSON.parse(text)).toMatchObject({
        summary: { text: 'A long "run" is over', actor: { name: 'Mona' } },
      });
      const batch = await api.send('events.publishBatch', {
        ...here(),
        text: `{"events":[{"type":"run","payload":{"text":"short"}},{"type":"run","payload":${payload}}]}`,
      });
      const { data } = batch.json as { data: { event_id: string }[] };
      const stored = await Promise.all(
        data.map(({ event_id: eventId }) =>
          api.send('events.get', { params: { id: workspace.workspaceId, eventId } }),
        ),
      );
      expect(stored.map(({ json }) => (json as { summary: { text: string } }).summary.text)).toEqual([
        'short',
        'A long "run" is over',
      ]);
      expect(stored[1]?.text).toContain(`"payload":${payload},`);
    });

    it.each([
      ['an end that is missing', payload.slice(0, -1), 'Unexpected end of JSON input'],
      ['a comma too many', payload.replace(/\}$/, ',}'), 'Unexpected token at position'],
      ['a number that is not one', payload.replace('1.0', '01'), 'Unexpected token at position'],
      ['a line break in a text', payload.replace('A long', 'A\nlong'), 'Unexpected token at position'],
    ])('refuses %s', async (_, text, says) => {
      const { status, json } = await api.request('POST', `/workspaces/${workspace.workspaceId}/events`, {
        text: `{"type":"run","payload":${text}${says.includes('end') ? '' : '}'}`,
      });
      expect(status).toBe(400);
      expect(json).toMatchObject({
        error: { message: expect.stringContaining(`The body must be JSON: ${says}`) as string },
      });
    });

    it('refuses mistakes beside it', async () => {
      const refused = (text: string) =>
        api.request('POST', `/workspaces/${workspace.workspaceId}/events`, { text });
      const list = await refused(`{"type":"run","payload":${points}}`);
      expect(list.json).toMatchObject({ error: { details: [{ field: 'payload' }] } });
      const unknown = await refused(`{"typ":"run","payload":${payload}}`);
      expect(unknown.json).toMatchObject({ error: { details: [{ field: 'typ' }, { field: 'type' }] } });
    });
  });

  it.each([
    [{ payload: {} }, 'type'],
    [{ type: '', payload: {} }, 'type'],
    [{ type: 'has space', payload: {} }, 'type'],
    [{ type: 'x'.repeat(101), payload: {} }, 'type'],
    [{ type: 5, payload: {} }, 'type'],
    [{ type: 't' }, 'payload'],
    [{ type: 't', payload: null }, 'payload'],
    [{ type: 't', payload: [] }, 'payload'],
    [{ type: 't', payload: 'text' }, 'payload'],
    [{ type: 't', payload: {}, source: '' }, 'source'],
    [{ type: 't', payload: {}, source: '-x' }, 'source'],
    [{ type: 't', payload: {}, occurred_at: '2026-02-30T00:00:00Z' }, 'occurred_at'],
    [{ type: 't', payload: {}, occurred_at: 1 }, 'occurred_at'],
    [{ type: 't', payload: {}, integration_id: 1 }, 'integration_id'],
  ])('refuses a mistake with 400 and names the field: %j', async (body, field) => {
    const { details } = await api.refused('events.publish', 400, { ...here(), body });
    expect(details?.[0]?.field).toBe(field);
    const batch = { events: [{ type: 't', payload: {} }, body] };
    const second = await api.refused('events.publishBatch', 400, { ...here(), body: batch });
    expect(second.details?.[0]?.field).toBe(`events[1].${field}`);
  });

  it('on behalf of an integration needs one of the same workspace', async () => {
    const connect = async (where: TestWorkspace) =>
      (
        await where.api.call('integrations.connect', {
          body: { provider: 'custom', workspace_id: where.workspaceId, credentials: {} },
        })
      ).integration_id;
    const body = (integration_id: string) => ({
      ...here(),
      body: { type: 't', payload: {}, integration_id },
    });
    const own = await connect(workspace);
    expect(await api.call('events.publish', body(own))).toMatchObject({ integration_id: own });
    for (const foreign of [
      await connect(await newStranger(root)),
      'int_00000000000000000000000000',
      'x',
      '',
    ]) {
      const { details } = await api.refused('events.publish', 404, body(foreign));
      expect(details?.[0]?.field).toBe('integration_id');
    }
  });
});

describe('a batch', () => {
  it('stores all events in their order', async () => {
    const events = Array.from({ length: 50 }, (_, index) => ({ type: 'batch', payload: { index } }));
    const { data } = await api.call('events.publishBatch', { ...here(), body: { events } });
    const listed = await api.call('events.list', { ...here(), query: { type: 'batch', limit: '100' } });
    expect(listed.data.map(({ event_id }) => event_id).reverse()).toEqual(
      data.map(({ event_id }) => event_id),
    );
    expect(listed.data.map(({ payload }) => payload?.['index']).reverse()).toEqual(
      events.map((_, index) => index),
    );
  });

  it('stores nothing if one of its events cannot be stored', async () => {
    const good = { type: 'atomic', payload: {} };
    const bad = { ...good, integration_id: 'int_00000000000000000000000000' };
    const { details } = await api.refused('events.publishBatch', 404, {
      ...here(),
      body: { events: [good, bad, good] },
    });
    expect(details?.[0]?.field).toBe('events[1].integration_id');
    await api.refused('events.publishBatch', 400, {
      ...here(),
      body: { events: [good, { type: 'atomic' }] },
    });
    expect(await countOf('atomic')).toBe(0);
  });

  it('holds 1 to 1,000 events', async () => {
    const batch = (count: number) => ({
      ...here(),
      body: { events: Array.from({ length: count }, () => ({ type: 'many', payload: {} })) },
    });
    await api.refused('events.publishBatch', 400, batch(0));
    await api.refused('events.publishBatch', 400, batch(LIMITS.batchMax + 1));
    await api.refused('events.publishBatch', 400, { ...here(), body: { events: {} } });
    expect((await api.call('events.publishBatch', batch(LIMITS.batchMax))).data).toHaveLength(
      LIMITS.batchMax,
    );
  });

  it('of the largest size makes a delivery of each event for every webhook', async () => {
    const own = await newWorkspace(root);
    for (let index = 0; index < 3; index++) {
      await own.api.call('webhooks.create', {
        body: { url: 'https://hub.example.com', events: ['*'], workspace_id: own.workspaceId, secret: 's' },
      });
    }
    const { data } = await own.api.call('webhooks.list', { query: { workspace_id: own.workspaceId } });
    for (const { id } of data)
      await own.api.call('webhooks.update', { params: { webhookId: id }, body: { status: 'disabled' } });
    const events = Array.from({ length: LIMITS.batchMax }, () => ({ type: 'many', payload: {} }));
    await own.api.call('events.publishBatch', { params: { id: own.workspaceId }, body: { events } });
    // Jobs create the deliveries that are too many for the transaction of the batch.
    await until('every delivery', async () => {
      const { queue } = await own.api.call('workspaces.stats', { params: { id: own.workspaceId } });
      return queue.held === LIMITS.batchMax * 3;
    });
  });
});
