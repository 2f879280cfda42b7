import { FlatErrorBody, HEADERS } from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { newKey, type TestWorkspace, startWorkspace } from '../support/workspace.ts';

let workspace: TestWorkspace & { stop(): Promise<void> };
let api: Api;

beforeAll(async () => {
  workspace = await startWorkspace();
  ({ api } = workspace);
});
afterAll(() => workspace.stop());

const flat = { [HEADERS.errorFormat]: 'flat' };
const nowhere = { params: { id: 'ws_00000000000000000000000000' } };

describe('the error body', () => {
  it('has the code, a message, details where they help, and the ID of the request', async () => {
    const { json, headers } = await api.send('workspaces.create', { body: { name: '', slug: 'Not A Slug' } });
    expect(json).toEqual({
      error: {
        code: 'invalid_request',
        message: 'name must have at least 1 character (1 of 2 errors).',
        details: [
          { field: 'name', issue: 'must have at least 1 character' },
          { field: 'slug', issue: 'must contain only lower-case letters, digits and hyphens' },
        ],
        request_id: headers.get(HEADERS.requestId),
      },
    });
  });

  it('is flat when the request asks for that', async () => {
    const { json, status } = await api.send('workspaces.get', { ...nowhere, headers: flat });
    expect(status).toBe(404);
    const body = FlatErrorBody.parse(json);
    expect(body).toMatchObject({ error: 'workspace_not_found', status_code: 404 });
    expect(json).toEqual(body);
  });

  it.each<[string, number, string, () => Promise<{ status: number; json: unknown }>]>([
    ['no credential', 401, 'unauthorized', () => api.as(null).request('GET', '/me', { headers: flat })],
    ['no route', 404, 'route_not_found', () => api.request('GET', '/nothing', { headers: flat })],
    ['wrong method', 405, 'invalid_request', () => api.request('PUT', '/me', { headers: flat })],
    ['no webhook', 404, 'webhook_not_found', () => api.send('webhooks.get', { headers: flat })],
    ['no integration', 404, 'integration_not_found', () => api.send('integrations.get', { headers: flat })],
    ['no delivery', 404, 'delivery_not_found', () => api.send('deliveries.get', { headers: flat })],
    [
      'no API key with that ID',
      404,
      'api_key_not_found',
      () => api.send('apiKeys.get', { params: { id: workspace.workspaceId, keyId: 'x' }, headers: flat }),
    ],
    [
      'no invitation',
      404,
      'invitation_not_found',
      () => api.send('invitations.accept', { body: { token: 'x' }, headers: flat }),
    ],
    [
      'a taken slug',
      409,
      'conflict',
      () => api.send('workspaces.create', { body: { name: 'A', slug: 'acme' }, headers: flat }),
    ],
    [
      'a role that is not one',
      422,
      'unprocessable_entity',
      () =>
        api.send('members.invite', {
          params: { id: workspace.workspaceId },
          body: { email: 'a@example.com', role: 'king' },
          headers: flat,
        }),
    ],
    ['not JSON', 400, 'invalid_request', () => api.send('workspaces.create', { text: '{', headers: flat })],
    [
      'a body too large',
      413,
      'invalid_request',
      () => api.send('workspaces.create', { text: ' '.repeat(1_100_000), headers: flat }),
    ],
  ])('is flat for every kind of error: %s', async (_, status, error, send) => {
    const response = await send();
    expect(response.json).toMatchObject({ error, status_code: status });
    if (status === 413)
      expect(response.json).toMatchObject({
        message: 'The body must have at most 1048576 bytes. Shorten it, or send it in several requests.',
      });
    expect(response.status).toBe(status);
  });

  it('is nested for an unknown format', async () => {
    const response = await api.send('workspaces.get', {
      ...nowhere,
      headers: { [HEADERS.errorFormat]: 'Flat!' },
    });
    expect(response.json).toMatchObject({ error: { code: 'not_found' } });
  });
});

describe('a workspace', () => {
  it.each<[object, string]>([
    [{ name: undefined }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: '\ud800' }, 'name'],
    [{ name: ['a'] }, 'name'],
    [{ slug: 'a' }, 'slug'],
    [{ slug: 'x'.repeat(51) }, 'slug'],
    [{ slug: 'Upper' }, 'slug'],
    [{ slug: 'under_score' }, 'slug'],
    [{ slug: 'ünicode' }, 'slug'],
    [{ slug: 'line\n' }, 'slug'],
    [{ slug: null }, 'slug'],
    [{ plan: 'gold' }, 'plan'],
    [{ plan: null }, 'plan'],
  ])('is refused with 400 for a mistake: %j', async (changes, field) => {
    const body = { name: 'Name', slug: 'a-slug', ...changes };
    const { details } = await api.refused('workspaces.create', 400, { body });
    expect(details?.[0]?.field).toBe(field);
    if (Object.values(changes)[0] === undefined) return;
    await api.refused('workspaces.update', 400, { params: { id: workspace.workspaceId }, body: changes });
  });

  it('takes values at their limits, and stores names in NFC', async () => {
    const made = await api.call('workspaces.create', {
      body: { name: `${'👍'.repeat(99)}e\u0301`.normalize('NFD'), slug: '-'.repeat(50), plan: 'enterprise' },
    });
    expect(made).toMatchObject({ name: `${'👍'.repeat(99)}é`, plan: 'enterprise' });
    expect(await api.call('workspaces.create', { body: { name: 'x', slug: '0-' } })).toMatchObject({
      plan: 'free',
    });
  });

  it('has a unique slug, and a conflict does not reveal the workspace that has it', async () => {
    const { id } = await api.call('workspaces.create', { body: { name: 'Mine', slug: 'mine' } });
    for (const refused of [
      await api.refused('workspaces.create', 409, { body: { name: 'Other', slug: 'mine' } }),
      await api.refused('workspaces.update', 409, {
        params: { id: workspace.workspaceId },
        body: { slug: 'mine' },
      }),
    ]) {
      expect(refused.details).toEqual([{ field: 'slug', issue: 'is taken; choose another one' }]);
      expect(refused.message).not.toContain(id);
    }
    const responses = await Promise.all(
      Array.from({ length: 10 }, () =>
        api.send('workspaces.create', { body: { name: 'Race', slug: 'race' } }),
      ),
    );
    expect(responses.map(({ status }) => String(status)).sort()).toEqual([
      '201',
      ...Array<string>(9).fill('409'),
    ]);
    await api.call('workspaces.update', { params: { id }, body: { slug: 'mine' } });
    await api.call('workspaces.delete', { params: { id } });
    await api.call('workspaces.create', { body: { name: 'Free again', slug: 'mine' } });
  });

  it('is renamed by owners and admins, and its plan is changed by owners only', async () => {
    const update = (role: 'owner' | 'admin', body: object) =>
      newKey(workspace, { role }).then(({ key }) =>
        api.as(key).send('workspaces.update', { params: { id: workspace.workspaceId }, body }),
      );
    expect((await update('admin', { name: 'Admins' })).status).toBe(200);
    expect((await update('admin', { plan: 'team' })).status).toBe(403);
    expect((await update('admin', { name: 'Both', plan: 'team' })).status).toBe(403);
    expect((await update('owner', { plan: 'team' })).json).toMatchObject({ plan: 'team', name: 'Admins' });
  });
});

it('the API describes itself at /openapi.json, to anybody', async () => {
  const response = await api.as(null).request('GET', '/openapi.json');
  expect(response.json).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) as string });
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(response.text)));
});
