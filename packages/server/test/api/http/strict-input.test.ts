import {
  type Endpoint,
  type EndpointName,
  endpoints,
  FlatErrorBody,
  HEADERS,
  LIMITS,
} from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JsonSchema, toJsonSchema } from '../../fuzz/generator/json-schemas.ts';
import type { Api, Refusal } from '../support/api.ts';
import { furnish, type Furniture } from '../support/furnished.ts';
import { type TestWorkspace, startWorkspace } from '../support/workspace.ts';

let workspace: TestWorkspace & { stop(): Promise<void> };
let api: Api;
let ids: Furniture;

beforeAll(async () => {
  workspace = await startWorkspace({ env: { HUBLINE_CREDENTIAL_CHECK: 'skip' } });
  ({ api } = workspace);
  ids = await furnish(workspace);
});
afterAll(() => workspace.stop());

const rows = (Object.entries<Endpoint>(endpoints) as [EndpointName, Endpoint][]).filter(
  ([, { special }]) => special !== 'ingest',
);
const writes = rows.filter(([, { method }]) => method !== 'GET');

const fieldsOf = ({ details = [] }: Refusal) => details.map(({ field }) => field);

/** The paths of the objects in a body whose fields the contract defines. */
function* closedObjects(schema: JsonSchema, path: (string | number)[] = []): Generator<(string | number)[]> {
  if (schema.type === 'object' && schema.additionalProperties === false) yield path;
  for (const option of schema.anyOf ?? []) yield* closedObjects(option, path);
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    yield* closedObjects(child, [...path, name]);
  if (schema.items) yield* closedObjects(schema.items, [...path, 0]);
}

/** A body with `value` at a path, and nothing else. */
function bodyWith(path: readonly (string | number)[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const inner = bodyWith(rest, value);
  return typeof step === 'number' ? [inner] : { [step]: inner };
}

const nameOf = (path: readonly (string | number)[]) =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');

const everyObject = writes.flatMap(([name, { body }]) =>
  body
    ? [...closedObjects(toJsonSchema(body))].map((path) => ({ name, path, at: nameOf([...path, 'zzz']) }))
    : [],
);

describe('an unknown field', () => {
  it('is looked for in every body, at every depth', () => {
    const found = everyObject.map(({ name, at }) => `${name} ${at}`);
    expect(found).toEqual(
      expect.arrayContaining([
        'webhooks.create zzz',
        'webhooks.create filters.zzz',
        'webhooks.update rate_limit.zzz',
        'integrations.create config.filters.zzz',
        'members.create zzz',
        'events.publishBatch events[0].zzz',
        'invitations.accept zzz',
      ]),
    );
  });

  it.each(everyObject)('is refused by $name at $at', async ({ name, path, at }) => {
    const text = JSON.stringify({ workspace_id: ids.id, ...(bodyWith(path, { zzz: 1 }) as object) });
    const refusal = await api.refused(name, 400, { params: ids, text });
    const [detail] = (refusal.details ?? []).filter(({ field }) => field === at);
    expect(detail?.issue).toMatch(/^is not a known field; (?:the known ones are|did you mean) /);
    // The unknown field comes first: it may be a required one, misspelled.
    expect(refusal.message).toMatch(/ is not a known field; /);
  });

  it.each(writes.filter(([, { body }]) => !body).map(([name]) => name))(
    'is refused by %s, which takes no body',
    async (name) => {
      const refusal = await api.refused(name, 400, { params: ids, body: { force: true } });
      expect(refusal.message).toBe('force is not a known field; leave it out, because none is allowed here.');
      expect(fieldsOf(refusal)).toEqual(['force']);
    },
  );

  it('is the only reason to refuse a body where none is taken: an empty object is accepted', async () => {
    await api.call('members.resendInvite', { params: ids, body: {} });
  });

  const webhook = () => ({
    url: 'https://example.com',
    events: ['*'],
    workspace_id: ids.id,
    secret: 's3cret',
  });

  it('is reported with the nearest name, or with all names when none is near', async () => {
    const refuse = (extra: object) =>
      api.refused('webhooks.create', 400, { body: { ...webhook(), ...extra } });
    const mistyped = await refuse({ filters: { event_type: ['push'] } });
    expect(mistyped.message).toBe('filters.event_type is not a known field; did you mean event_types?');
    expect(mistyped.details).toEqual([
      { field: 'filters.event_type', issue: 'is not a known field; did you mean event_types?' },
    ]);
    expect((await refuse({ filters: { resourceIds: [] } })).message).toContain('did you mean resource_ids?');
    expect((await refuse({ ratelimit: null })).message).toContain('did you mean rate_limit?');
    expect((await refuse({ filters: { branch: ['main'] } })).message).toBe(
      'filters.branch is not a known field; the known ones are event_types, sources, resource_ids, conditions.',
    );
    const { data } = await api.call('webhooks.list', { query: { workspace_id: ids.id } });
    expect(data).toHaveLength(1);
  });

  it('is reported before the missing field that it may be a misspelling of', async () => {
    const { message, details } = await api.refused('workspaces.create', 400, {
      body: { nam: 'A', slug: 'a-b' },
    });
    expect(message).toBe('nam is not a known field; did you mean name? (1 of 2 errors).');
    expect(details).toEqual([
      { field: 'nam', issue: 'is not a known field; did you mean name?' },
      { field: 'name', issue: 'is required' },
    ]);
  });

  it('is in the message of the flat form', async () => {
    const { json, status } = await api.send('webhooks.create', {
      body: { ...webhook(), filters: { event_type: ['push'] } },
      headers: { [HEADERS.errorFormat]: 'flat' },
    });
    expect(status).toBe(400);
    expect(FlatErrorBody.parse(json).message).toBe(
      'filters.event_type is not a known field; did you mean event_types?',
    );
  });

  it('in credentials is one that the provider does not take', async () => {
    const connect = (provider: string, credentials: object) =>
      api.refused('integrations.connect', 400, { body: { provider, workspace_id: ids.id, credentials } });
    expect((await connect('github', { tokn: 'x' })).details).toEqual([
      { field: 'credentials.tokn', issue: 'is not a known field; did you mean token?' },
      { field: 'credentials.token', issue: 'is required' },
    ]);
    expect((await connect('custom', { 'webhook-url': 'https://x.example' })).message).toMatch(
      /^credentials\.webhook-url is not a known field; the known ones are /,
    );
    expect((await connect('github', { token: 7 })).message).toBe('credentials.token must be a string.');
    expect((await connect('github', { token: 'x'.repeat(5_000) })).message).toBe(
      'credentials.token must have at most 4096 characters.',
    );
    const reconnect = await api.refused('integrations.reconnect', 400, {
      params: ids,
      body: { credentials: { secrett: 'x' } },
    });
    expect(reconnect.message).toBe('credentials.secrett is not a known field; did you mean secret?');
  });

  it('that could reach a prototype is refused, wherever it is', async () => {
    for (const text of [
      `{"name": "a", "slug": "a-b", "__proto__": {}}`,
      `{"name": "a", "slug": "a-b", "constructor": {}}`,
    ]) {
      const { message } = await api.refused('workspaces.create', 400, { text });
      expect(message).toMatch(/^(?:__proto__|constructor) is not an allowed name\.$/);
    }
    const { message } = await api.refused('integrations.connect', 400, {
      text: `{"provider": "custom", "workspace_id": "${ids.id}", "credentials": {"__proto__": "x"}}`,
    });
    expect(message).toBe('credentials.__proto__ is not an allowed name.');
  });

  it('in a payload is part of the payload', async () => {
    const payload = { anything: { goes: 1 }, events: 2, constructor: 3 };
    const { event_id } = await api.call('events.publish', { params: ids, body: { type: 't', payload } });
    const event = await api.call('events.get', { params: { ...ids, eventId: event_id } });
    expect(event.payload).toEqual(payload);
  });
});

describe('an unknown query parameter', () => {
  it.each(rows.map(([name]) => name))('is refused by %s', async (name) => {
    const input = {
      params: ids,
      query: { zzz: '1', ...(name === 'webhooks.list' && { workspace_id: ids.id }) },
    };
    const body =
      name === 'webhooks.create' || name.startsWith('integrations.c') ? { workspace_id: ids.id } : undefined;
    const { message } = await api.refused(name, 400, { ...input, ...(body && { body }) });
    expect(message).toMatch(/^zzz is not a known parameter; /);
  });

  it('is reported with the nearest name', async () => {
    const { message, details } = await api.refused('deliveries.list', 400, {
      params: ids,
      query: { event: 'x' },
    });
    expect(message).toBe('event is not a known parameter; did you mean event_id?');
    expect(details).toEqual([{ field: 'event', issue: 'is not a known parameter; did you mean event_id?' }]);
  });
});

describe('a field that is given twice', () => {
  // A proxy that inspects bodies may read the first of the two, while `JSON.parse` takes the last.
  it.each(everyObject)('is refused by $name at $at', async ({ name, path, at }) => {
    const once = JSON.stringify({ workspace_id: ids.id, ...(bodyWith(path, { zzz: 1 }) as object) });
    const text = once.replace('"zzz":1', String.raw`"zzz":1,"a":{},"zz\u007a":1`);
    const { details } = await api.refused(name, 400, { params: ids, text });
    expect(details).toEqual([{ field: at, issue: 'must be given once' }]);
  });

  it('is refused where names are free, and where no body is taken', async () => {
    const scope = `"provider": "custom", "workspace_id": "${ids.id}"`;
    const credentials = `{${scope}, "credentials": {"token": "a", "token": "b"}}`;
    const connect = await api.refused('integrations.connect', 400, { text: credentials });
    expect(connect.message).toBe('credentials.token must be given once.');
    const resend = await api.refused('members.resendInvite', 400, { params: ids, text: '{"a":1,"a":1}' });
    expect(fieldsOf(resend)).toEqual(['a']);
  });

  it('is refused without any change, unlike equal names in different objects', async () => {
    const text = '{"name": "first", "name": "second"}';
    const { message } = await api.refused('workspaces.update', 400, { params: ids, text });
    expect(message).toBe('name must be given once.');
    expect((await api.call('workspaces.get', { params: ids })).name).not.toMatch(/first|second/);
    const events = '{"type": "t", "payload": {}}, {"type": "t", "payload": {}}';
    await api.call('events.publishBatch', { params: ids, text: `{"events": [${events}]}` });
  });

  it('is kept in a payload, as it came', async () => {
    const payload = '{"a": 1, "a": {"b": 2, "b": 3}}';
    const { data } = await api.call('events.publishBatch', {
      params: ids,
      text: `{"events": [{"type": "t", "payload": ${payload}}]}`,
    });
    const params = { ...ids, eventId: data[0]?.event_id as string };
    expect((await api.send('events.get', { params })).text).toContain(`"payload":${payload}`);
  });
});

describe('more than the limit', () => {
  const million = LIMITS.bodyBytes - 1_000;
  const fill = (item: string) => `[${item}${`,${item}`.repeat(Math.floor(million / (item.length + 1)) - 1)}]`;
  const object = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;

  const oversized: [items: string, name: EndpointName, field: string, body: () => string][] = [
    ['events', 'webhooks.create', 'events', () => `"events": ${fill('1')}`],
    ['scopes', 'apiKeys.create', 'scopes', () => `"name": "n", "scopes": ${fill('1')}`],
    ['objects for scopes', 'apiKeys.create', 'scopes', () => `"name": "n", "scopes": ${fill('{}')}`],
    ['filters', 'webhooks.create', 'filters.event_types', () => `"filters": {"event_types": ${fill('"a"')}}`],
    ['fields of filters', 'webhooks.update', 'filters', () => `"filters": ${object(70_000)}`],
    [
      'credentials',
      'integrations.connect',
      'credentials',
      () => `"provider": "custom", "credentials": ${object(70_000)}`,
    ],
    ['triggers', 'integrations.update', 'config.notify_on', () => `"config": {"notify_on": ${fill('"a"')}}`],
    ['states', 'deliveries.retryAll', 'statuses', () => `"statuses": ${fill('1')}`],
    ['events of a batch', 'events.publishBatch', 'events', () => `"events": ${fill('{}')}`],
    ['fields of a body', 'workspaces.create', 'body', () => object(70_000).slice(1, -1)],
  ];

  it.each(oversized)('of %s is refused before they become values', async (_, name, field, body) => {
    const scope =
      name === 'webhooks.create' || name === 'integrations.connect' ? `"workspace_id": "${ids.id}",` : '';
    // A parser that read to the end would say that the text is not JSON.
    const refusal = await api.refused(name, 400, { params: ids, text: `{${scope}${body()}` });
    expect(fieldsOf(refusal)).toEqual([field]);
    expect(refusal.message).toMatch(new RegExp(`must have at most [0-9,]+ (?:members|items|fields)\\.$`));
  });

  it('is refused by the field, with its own maximum', async () => {
    const { message } = await api.refused('webhooks.update', 400, {
      params: ids,
      body: { filters: { sources: Array.from({ length: 101 }, () => 'a') } },
    });
    expect(message).toBe('filters.sources must have at most 100 items.');
    const events = Array.from({ length: 1_001 }, () => ({ type: 't', payload: {} }));
    const batch = await api.refused('events.publishBatch', 400, { params: ids, body: { events } });
    expect(fieldsOf(batch)).toEqual(['events']);
  });

  it('is accepted in a payload, where a thousand members are normal', async () => {
    const text = `{"type": "t", "payload": {"list": ${fill('1')}}}`;
    await api.call('events.publish', { params: ids, text });
  });

  it('of twenty errors are counted, and not listed', async () => {
    const events = Array.from({ length: 500 }, () => ({}));
    const { message, details } = await api.refused('events.publishBatch', 400, {
      params: ids,
      body: { events },
    });
    expect(details).toHaveLength(20);
    expect(message).toBe('events[0].type is required (1 of 1000 errors). 980 more are not listed.');
    const unknown = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`k${index}`, 1]));
    const refusal = await api.refused('members.invite', 400, { params: ids, body: unknown });
    expect(refusal.details).toHaveLength(20);
    expect(refusal.message).toMatch(/\(1 of 901 errors\)\. 881 more are not listed\.$/);
    // Looking for the name that each of them may mean would take seconds.
    const many = Array.from({ length: 900 }, () => ({ type: 't', payload: {}, ...unknown }));
    const text = JSON.stringify({ events: many.slice(0, 90) });
    const most = await api.refused('events.publishBatch', 400, { params: ids, text });
    expect(most.details).toHaveLength(20);
    expect(most.message).toMatch(/^events\[0\]\.k0 is not a known field; .* \(1 of \d{5,6} errors\)/);
  });

  it('in the length of a name is refused without an echo of the name', async () => {
    const long = 'x'.repeat(million - 100);
    const { text } = await api.send('workspaces.create', { text: `{"${long}": 1}` });
    expect(text.length).toBeLessThan(2_000);
    const { text: second } = await api.send('integrations.connect', {
      text: `{"provider": "custom", "workspace_id": "${ids.id}", "credentials": {"${long.slice(200)}": "x"}}`,
    });
    expect(second.length).toBeLessThan(2_000);
  });

  it('in combining marks is refused before the normalization, which would take minutes', async () => {
    const name = `a${'\u0315'.repeat(200_000)}${'\u0300'.repeat(200_000)}`;
    const { message } = await api.refused('workspaces.create', 400, { body: { name, slug: 'marks' } });
    expect(message).toBe('name must have at most 100 characters.');
  });

  it('in depth is refused before the body is parsed', async () => {
    const text = `{"type": "t", "payload": ${'['.repeat(500_000)}`;
    const { message } = await api.refused('events.publish', 400, { params: ids, text });
    expect(message).toBe('The body must nest at most 64 levels deep.');
  });
});

describe('a body whose workspace cannot be used', () => {
  const UNKNOWN = 'ws_06f8xw2b3c4d5e6f7g8h9j0kmn';
  const naming = writes.filter(([, { access }]) => access.kind === 'workspace' && access.from.in === 'body');

  describe.each(naming.map(([name]) => name))('is refused with its other mistakes by %s', (name) => {
    it.each([undefined, 7, 'ws_nope', UNKNOWN])('workspace_id: %j', async (workspace_id) => {
      const refusal = await api.refused(name, 400, { body: { zzz: 1, workspace_id } });
      expect(fieldsOf(refusal)).toEqual(expect.arrayContaining(['zzz', 'workspace_id']));
      expect(fieldsOf(refusal).filter((field) => field === 'workspace_id')).toHaveLength(1);
    });
  });

  it.each([
    [
      undefined,
      { url: 'http://example.com', events: [], secret: undefined },
      ['workspace_id', 'events', 'secret', 'url'],
    ],
    ['ws_nope', { url: 'https://bücher.example/' }, ['workspace_id', 'url']],
    [UNKNOWN, { url: 'https://bücher.example/' }, ['workspace_id', 'url']],
    [
      UNKNOWN,
      { secret: undefined, filters: { conditions: { op: 'eq' } } },
      ['workspace_id', 'secret', 'filters.conditions'],
    ],
  ])('%s and a webhook with %j name %j', async (workspace_id, values, fields) => {
    const body = {
      events: ['*'],
      url: 'https://x.example/',
      secret: 'a'.repeat(32),
      ...values,
      workspace_id,
    };
    const details = fieldsOf(await api.refused('webhooks.create', 400, { body }));
    expect(details.toSorted()).toEqual(fields.toSorted());
  });

  it('is required in words that say where, whatever else is wrong', async () => {
    const issue = 'is required in the body and must be the ID of a workspace, ws_…';
    const valid = { events: ['*'], url: 'https://x.example/', secret: 'a secret of ours' };
    for (const body of [valid, { events: [] }]) {
      const { details } = await api.refused('webhooks.create', 400, {
        body: { ...body, workspace_id: undefined },
      });
      expect(details).toContainEqual({ field: 'workspace_id', issue });
    }
  });

  it('is not found if there are no other mistakes', async () => {
    const body = { workspace_id: UNKNOWN, events: ['*'], url: 'https://x.example/', secret: 'a'.repeat(32) };
    expect(fieldsOf(await api.refused('webhooks.create', 404, { body }))).toEqual(['workspace_id']);
  });
});

describe('a value of the wrong kind', () => {
  const TIME = 'must be an RFC 3339 timestamp with a zone, such as 2026-01-02T03:04:05Z';
  it.each<[EndpointName, object, string]>([
    ['webhooks.recover', {}, `since is required and ${TIME}.`],
    ['webhooks.recover', { since: 5 }, `since ${TIME}.`],
    ['webhooks.recover', { since: 'today' }, `since ${TIME}.`],
    [
      'webhooks.rotateSecret',
      { overlap_seconds: -1 },
      'overlap_seconds must be an integer from 0 to 604800.',
    ],
    ['apiKeys.rotate', { overlap_seconds: 'x' }, 'overlap_seconds must be an integer from 0 to 604800.'],
    ['deliveries.retryAll', { response_status: 42 }, 'response_status must be an integer from 100 to 599.'],
    ['deliveries.retryAll', { response_status: '5' }, 'response_status must be an integer from 100 to 599.'],
    [
      'webhooks.update',
      { filters: 'push' },
      'filters must be an object; its fields are event_types, sources, resource_ids, conditions.',
    ],
  ])('is refused with the rule and the cure, in %s: %j', async (name, body, message) => {
    expect((await api.refused(name, 400, { params: ids, body })).message).toBe(message);
  });

  it('is a time with a space for its +: the cure is to encode it', async () => {
    // The value of `?since=2026-01-02T03:04:05+00:00`, as servers decode it.
    const query = { since: '2026-01-02T03:04:05 00:00' };
    const { message } = await api.refused('events.list', 400, { params: ids, query });
    expect(message).toBe(`since ${TIME}; in a URL, write the + of a zone as %2B.`);
  });

  it('is a time without a zone, whose minutes are no zone', async () => {
    const query = { since: '2026-01-02 03:04' };
    expect((await api.refused('events.list', 400, { params: ids, query })).message).toBe(`since ${TIME}.`);
  });

  it('comes with the form of an ID, where the ID is not the only error', async () => {
    const body = { webhook_id: 'abc', response_status: 1 };
    const { details } = await api.refused('deliveries.retryAll', 400, { params: ids, body });
    const issue = 'does not exist; such an ID is whk_ and 26 characters';
    expect(details).toContainEqual({ field: 'webhook_id', issue });
  });
});
