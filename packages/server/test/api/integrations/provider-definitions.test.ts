import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presets } from '../../../src/providers/presets/presets.ts';
import {
  newKey,
  newStranger,
  newWorkspace,
  type TestWorkspace,
  startWorkspace,
} from '../support/workspace.ts';

let server: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  server = await startWorkspace();
});
afterAll(() => server.stop());

const TOKEN = { kind: 'token', header: 'X-Token' };
const DEFINITION = { provider: 'acme-ci', name: 'Acme CI', verification: TOKEN };

const here = ({ workspaceId }: TestWorkspace) => ({ params: { id: workspaceId } });

const refusalOf = async (workspace: TestWorkspace, body: object) => {
  const { details } = await workspace.api.refused('providers.create', 400, { ...here(workspace), body });
  return details;
};

describe('a definition', () => {
  it('is stored, read, listed, changed field by field, and deleted', async () => {
    const workspace = await newWorkspace(server);
    const created = await workspace.api.call('providers.create', {
      ...here(workspace),
      body: { ...DEFINITION, pings: ['ping'], event_type: { default: 'build' } },
    });
    expect(created).toMatchObject({
      ...DEFINITION,
      workspace_id: workspace.workspaceId,
      oauth: false,
      required_credentials: [],
      optional_credentials: ['secret', 'notify_url'],
      methods: [{ method: 'webhook' }],
    });
    const params = { id: workspace.workspaceId, providerId: created.provider_id };
    expect(await workspace.api.call('providers.get', { params })).toEqual(created);
    const changed = await workspace.api.call('providers.update', {
      params,
      body: { name: 'Acme', pings: null, verification: { kind: 'none' } },
    });
    const { pings: _, ...rest } = created;
    expect(changed).toEqual({
      ...rest,
      name: 'Acme',
      description: 'Events of Acme, as this workspace has defined it.',
      verification: { kind: 'none' },
      optional_credentials: ['url_token', 'notify_url'],
      methods: changed.methods,
      updated_at: changed.updated_at,
    });
    expect((await workspace.api.call('providers.list', here(workspace))).data).toEqual([changed]);
    const { data } = await workspace.api.call('auditLog.list', here(workspace));
    expect(data.slice(0, 2)).toMatchObject([
      { action: 'provider.updated', targets: [{ type: 'provider', name: 'acme-ci' }] },
      { action: 'provider.defined' },
    ]);
    await workspace.api.call('providers.delete', { params });
    expect((await workspace.api.call('providers.list', here(workspace))).data).toEqual([]);
  });

  it.each([
    ['github', 'built in'],
    ['api', 'reserved'],
    ['automation', 'reserved'],
    ['hubline', 'reserved'],
    ['constructor', 'reserved'],
    ['prototype', 'reserved'],
  ])('cannot have the key %s, which is %s', async (provider, reason) => {
    const refusal = await server.api.refused('providers.create', 422, {
      ...here(server),
      body: { ...DEFINITION, provider },
    });
    expect(refusal.details).toEqual([
      { field: 'provider', issue: `is ${reason}; choose another key, such as my-${provider}` },
    ]);
  });

  it('has a key that is unique in its workspace, which has at most 50', async () => {
    const workspace = await newWorkspace(server);
    const create = (provider: string) =>
      workspace.api.send('providers.create', { ...here(workspace), body: { ...DEFINITION, provider } });
    expect((await create('acme-ci')).status).toBe(201);
    expect((await create('acme-ci')).status).toBe(409);
    expect((await create('slack')).status).toBe(422);
    expect((await create('custom')).status).toBe(422);
    for (let index = 1; index < 50; index++) expect((await create(`tool-${index}`)).status).toBe(201);
    expect(await create('one-more')).toMatchObject({ status: 422, text: expect.stringContaining('50') });
    // Those of another workspace do not count.
    const other = await newWorkspace(server);
    await other.api.call('providers.create', { ...here(other), body: DEFINITION });
  });

  it.each<[string, object, string, string]>([
    ['a key in capitals', { provider: 'Acme' }, 'provider', 'lower-case'],
    ['a key of one letter', { provider: 'a' }, 'provider', 'at least 2'],
    ['no proof', { verification: undefined }, 'verification', 'is required'],
    ['an empty proof', { verification: {} }, 'verification.kind', 'must be one of none, token'],
    ['an unknown proof', { verification: { kind: 'trust' } }, 'verification.kind', 'ed25519, jwt'],
    ['no header', { verification: { kind: 'token' } }, 'verification.header', 'is required'],
    [
      'a header with a blank',
      { verification: { kind: 'token', header: 'X Token' } },
      'verification.header',
      'such as X-Signature',
    ],
    [
      'a wrong field of the proof',
      { verification: { ...TOKEN, prefx: 'x' } },
      'verification.prefx',
      'did you mean prefix?',
    ],
    [
      'a hash that is broken',
      { verification: { kind: 'hmac', header: 'X-Sig', algorithm: 'md5' } },
      'verification.algorithm',
      'must be one of sha256, sha512, sha1',
    ],
    [
      'a signature over no body',
      { verification: { kind: 'hmac', header: 'X-Sig', signed: '{timestamp}' } },
      'verification.signed',
      '{body} once',
    ],
    [
      'a signature over the body twice',
      { verification: { kind: 'hmac', header: 'X-Sig', signed: '{body}{body}' } },
      'verification.signed',
      '{body} once',
    ],
    [
      'a time that nothing signs',
      { verification: { kind: 'hmac', header: 'X-Sig', timestamp: { header: 'X-Time' } } },
      'verification.signed',
      'proves nothing',
    ],
    [
      'a signed time without a header',
      { verification: { kind: 'hmac', header: 'X-Sig', signed: '{timestamp}{body}' } },
      'verification.timestamp',
      'is required',
    ],
    [
      'a signed ID without a header',
      { verification: { kind: 'ed25519', header: 'X-Sig', signed: '{id}{body}' } },
      'verification.id_header',
      'is required',
    ],
    [
      'an ID that nothing signs',
      { verification: { kind: 'hmac', header: 'X-Sig', id_header: 'X-Id' } },
      'verification.id_header',
      'name it in dedupe_key',
    ],
    [
      'a time in an element of a header that has one',
      {
        verification: {
          kind: 'hmac',
          header: 'X-Sig',
          signed: '{timestamp}{body}',
          timestamp: { header: 'X-Time', prefix: 't=' },
        },
      },
      'verification.separator',
      'is required',
    ],
    [
      'a time that is the signature',
      {
        verification: {
          kind: 'hmac',
          header: 'X-Sig',
          signed: '{timestamp}{body}',
          timestamp: { header: 'x-sig' },
        },
      },
      'verification.timestamp.prefix',
      'is required',
    ],
    [
      'an endless tolerance',
      {
        verification: {
          kind: 'hmac',
          header: 'X-Sig',
          signed: '{timestamp}{body}',
          timestamp: { header: 'X-Time', tolerance_seconds: 100_000 },
        },
      },
      'verification.timestamp.tolerance_seconds',
      'from 0 to 86400, which is a day',
    ],
    ['a place that is not one', { event_type: { from: ['type'] } }, 'event_type.from[0]', 'JSON pointer'],
    ['a bad escape', { dedupe_key: ['/a~2'] }, 'dedupe_key[0]', 'JSON pointer'],
    ['no places', { dedupe_key: [] }, 'dedupe_key', 'at least one place'],
    ['six places', { dedupe_key: Array(6).fill('/a') }, 'dedupe_key', 'at most 5'],
    ['a long place', { dedupe_key: [`/${'a'.repeat(256)}`] }, 'dedupe_key[0]', 'at most 256'],
    ['a type with blanks', { event_type: { default: 'a b' } }, 'event_type.default', 'letters, digits'],
    [
      'a severity that is not one',
      { summary: { severity: { from: ['/a'], map: { bad: 'awful' } } } },
      'summary.severity.map.bad',
      'must be one of critical',
    ],
    [
      'a map of thousands',
      {
        event_type: {
          from: ['/a'],
          map: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`k${n}`, 'x'])),
        },
      },
      'event_type.map',
      'at most 200',
    ],
    ['many steps', { setup_steps: Array(21).fill('x') }, 'setup_steps', 'at most 20'],
    ['a field that does not exist', { event_typ: {} }, 'event_typ', 'event_type'],
  ])('with %s is refused, with its path, the rule and the cure', async (_, change, field, issue) => {
    const details = await refusalOf(server, { ...DEFINITION, ...change });
    expect(details).toEqual([{ field, issue: expect.stringContaining(issue) }]);
  });

  it('reports all errors that its parts cause together', async () => {
    const verification = {
      kind: 'hmac',
      header: 'X-Sig',
      signed: '{timestamp}.{id}.{body}',
    };
    const details = await refusalOf(server, { ...DEFINITION, verification });
    expect(details?.map(({ field }) => field)).toEqual(['verification.timestamp', 'verification.id_header']);
  });

  it.each(['__proto__', 'constructor'])('is refused with the name %s in a map', async (name) => {
    const body = JSON.stringify({ ...DEFINITION, event_type: { map: { NAME: 'x' } } }).replace('NAME', name);
    const response = await server.api.send('providers.create', { ...here(server), text: body });
    expect(response.status).toBe(400);
  });

  it('stays as it was when a change would make it wrong', async () => {
    const workspace = await newWorkspace(server);
    const created = await workspace.api.call('providers.create', { ...here(workspace), body: DEFINITION });
    const params = { id: workspace.workspaceId, providerId: created.provider_id };
    await workspace.api.refused('providers.update', 400, {
      params,
      body: { verification: { kind: 'hmac', header: 'X-Sig', id_header: 'X-Id' } },
    });
    await workspace.api.refused('providers.update', 400, { params, body: { provider: 'other' } });
    await workspace.api.refused('providers.update', 400, { params, body: { name: null } });
    expect(await workspace.api.call('providers.get', { params })).toEqual(created);
  });

  it('is seen by members, changed by admins, and unknown to strangers', async () => {
    const workspace = await newWorkspace(server);
    const { provider_id: providerId } = await workspace.api.call('providers.create', {
      ...here(workspace),
      body: DEFINITION,
    });
    const params = { id: workspace.workspaceId, providerId };
    for (const [role, status] of [
      ['viewer', 403],
      ['member', 403],
      ['admin', 200],
    ] as const) {
      const { key } = await newKey(workspace, { role });
      const api = workspace.api.as(key);
      await api.call('providers.get', { params });
      await api.call('providers.list', here(workspace));
      const update = await api.send('providers.update', { params, body: { name: 'New' } });
      expect(update.status, role).toBe(status);
      const preview = await api.send('providers.preview', {
        ...here(workspace),
        body: { provider_id: providerId, body: '{}' },
      });
      expect(preview.status, role).toBe(status);
    }
    const stranger = await newStranger(workspace);
    await stranger.api.refused('providers.get', 404, { params });
    // By its ID alone it is not found in another workspace either.
    await stranger.api.refused('providers.get', 404, {
      params: { id: stranger.workspaceId, providerId },
    });
    for (const id of [providerId, 'prv_x']) {
      const refused = await stranger.api.refused('providers.preview', 404, {
        ...here(stranger),
        body: { provider_id: id, body: '{}' },
      });
      expect(refused.details).toEqual([{ field: 'provider_id', issue: 'names no such provider' }]);
    }
  });
});

describe('a preview', () => {
  const preview = (body: object) => server.api.call('providers.preview', { ...here(server), body });

  it('says what the event would be, and stores nothing', async () => {
    const workspace = await newWorkspace(server);
    const definition = {
      ...DEFINITION,
      event_type: { from: ['/event'] },
      dedupe_key: ['/id'],
      summary: { text: ['/text'] },
    };
    const result = await workspace.api.call('providers.preview', {
      ...here(workspace),
      body: { definition, body: '{"event":"build","id":12345678901234567890,"text":"Hi"}' },
    });
    expect(result).toMatchObject({
      verification: { result: 'unchecked' },
      outcome: 'event',
      reason: null,
      event: {
        type: 'build',
        source: 'acme-ci',
        dedupe_key: '12345678901234567890',
        summary: { text: 'Hi' },
      },
      answer: null,
    });
    expect((await workspace.api.call('providers.list', here(workspace))).data).toEqual([]);
    expect((await workspace.api.call('events.list', here(workspace))).data).toEqual([]);
  });

  it.each<[object, object, string]>([
    [{ 'X-Token': 's3cret' }, { result: 'verified', reason: null }, 'the right token'],
    [{ 'x-token': 'x' }, { result: 'refused', reason: 'wrong token' }, 'a wrong token'],
    [{}, { result: 'refused', reason: 'the x-token header is missing' }, 'no token'],
  ])('verifies headers %j as %j: %s', async (headers, verification) => {
    const result = await preview({ definition: DEFINITION, body: '{}', headers, secret: 's3cret' });
    expect(result.verification).toEqual(verification);
    expect(result.outcome).toBe('event');
  });

  it('checks the token of a URL, and needs no secret if there is none', async () => {
    const urlToken = { ...DEFINITION, verification: { kind: 'url_token' } };
    const proved = await preview({ definition: urlToken, body: '{}', query: { token: 'a' }, secret: 'a' });
    expect(proved.verification.result).toBe('verified');
    const open = await preview({ definition: { ...DEFINITION, verification: { kind: 'none' } }, body: '{}' });
    expect(open.verification.result).toBe('verified');
  });

  it.each([
    ['{a}', { outcome: 'malformed', reason: 'the body is not JSON', event: null }],
    ['', { outcome: 'malformed', event: null }],
    ['{"c":"echo me"}', { outcome: 'handshake', answer: 'echo me', event: null }],
    ['{"t":"ping"}', { outcome: 'ping', event: null }],
  ])('of %j is %j', async (body, expected) => {
    const definition = {
      ...DEFINITION,
      event_type: { from: ['/t'] },
      pings: ['ping'],
      handshake: { echo: ['/c'] },
    };
    expect(await preview({ definition, body })).toMatchObject(expected);
  });

  it('refuses a wrong definition with its path, and needs exactly one', async () => {
    const refused = (body: object) => server.api.refused('providers.preview', 400, { ...here(server), body });
    const verification = { kind: 'hmac', header: 'X-Sig', id_header: 'X-Id' };
    expect(await refused({ definition: { ...DEFINITION, verification }, body: '{}' })).toMatchObject({
      details: [{ field: 'definition.verification.id_header' }],
    });
    expect(await refused({ body: '{}' })).toMatchObject({ details: [{ field: 'definition' }] });
    expect(
      await refused({ definition: DEFINITION, body: '{}', headers: { 'X-A': '1', 'x-a': '2' } }),
    ).toMatchObject({ details: [{ field: 'headers.x-a' }] });
  });
});

it('lists a preset for each well-known tool, as the guide does, and each can be defined as it is', async () => {
  const workspace = await newWorkspace(server);
  const { data } = await workspace.api.call('providers.listPresets', { query: { limit: '100' } });
  expect(data.map(({ preset }) => preset)).toEqual([...presets.keys()]);
  const guide = new URL('../../../../../docs/guides/custom-providers.md', import.meta.url);
  const [named] = /^Ready-made definitions exist for [^:]+:/m.exec(await readFile(guide, 'utf8')) ?? [];
  for (const { definition } of data) expect(named).toContain(definition.name);
  for (const { preset, definition, sample } of data) {
    const created = await workspace.api.call('providers.create', { ...here(workspace), body: definition });
    expect(created.provider).toBe(preset);
    expect(JSON.parse(sample.body)).toBeTypeOf('object');
  }
});
