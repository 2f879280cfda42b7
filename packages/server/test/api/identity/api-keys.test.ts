import { type EndpointName, type Role, ROLES } from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatApiKey } from '../../../src/domain/identity/api-key.ts';
import type { Api } from '../support/api.ts';
import {
  everybodyKnows,
  invite,
  join,
  newKey,
  newWorkspace,
  type TestWorkspace,
  startWorkspace,
  unique,
} from '../support/workspace.ts';
import { raw } from '../support/raw-http.ts';

let workspace: TestWorkspace & { stop(): Promise<void> };
let api: Api;
const start = new Date('2026-03-01T10:00:00.000Z');
let now = start;

beforeAll(async () => {
  workspace = await startWorkspace({ clock: () => now });
  ({ api } = workspace);
});
afterAll(() => workspace.stop());

const here = () => ({ params: { id: workspace.workspaceId } });
const keyAt = (keyId: string) => ({ params: { id: workspace.workspaceId, keyId } });
const later = (ms: number) => new Date(start.getTime() + ms);

describe('authentication', () => {
  const statusOf = async (headers: Record<string, string>, path = '/me') =>
    (await api.as(null).request('GET', path, { headers })).status;

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic x',
    'Bearer x',
    'x',
    'Token KEY',
    'Bearer  KEY',
    'Bearer KEY KEY',
    'Bearer, KEY',
    'KEY',
    'Bearer KEYx',
    'Bearer xKEY',
  ])('is refused for the header %j', async (header) => {
    const Authorization = header.replaceAll('KEY', api.key ?? '');
    const { status, headers } = await api.as(null).request('GET', '/me', { headers: { Authorization } });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('takes the scheme in any case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer'])
      expect(await statusOf({ Authorization: `${scheme} ${api.key}` })).toBe(200);
  });

  it('is refused without a header, and for a key in the query or a cookie', async () => {
    expect(await statusOf({})).toBe(401);
    expect(await statusOf({}, `/me?api_key=${api.key}`)).toBe(401);
    expect(await statusOf({ Cookie: `key=${api.key}` })).toBe(401);
    expect(await statusOf({ 'X-API-Key': api.key ?? '' })).toBe(401);
  });

  it('is refused for two headers', async () => {
    const line = `Authorization: Bearer ${api.key}\n`;
    const { responses } = await raw(workspace.server.url, `GET /v1/me HTTP/1.1\nHost: x\n${line}${line}\n`, {
      responses: 1,
    });
    expect(responses[0]?.status).toBe(401);
  });

  it('is refused for a key with wrong check characters, and for one that nobody made', async () => {
    const key = api.key ?? '';
    const swapped = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
    const other = `${key.slice(0, 5)}${key[5] === 'a' ? 'b' : 'a'}${key.slice(6)}`;
    const madeUp = formatApiKey(Uint8Array.from({ length: 64 }, (_, index) => index));
    for (const wrong of [swapped, other, madeUp, key.toLowerCase(), key.toUpperCase()])
      await api.as(wrong).refused('me.get', 401);
  });

  it('tells the caller who it is, at /me', async () => {
    const made = await newKey(workspace, { role: 'viewer', scopes: ['members:read'] });
    const me = await api.as(made.key).call('me.get');
    expect(me.user).toMatchObject({ id: workspace.userId, email: 'owner@example.com' });
    expect(me.key).toMatchObject({ id: made.id, role: 'viewer', scopes: ['members:read'] });
    expect(me.memberships).toMatchObject([
      { workspace_id: workspace.workspaceId, role: 'viewer', slug: 'acme' },
    ]);
  });
});

describe('a key', () => {
  it('is shown once', async () => {
    const { key, ...made } = await newKey(workspace, { name: 'once' });
    expect(key).toMatch(/^hl_[0-9A-Za-z]{36}$/);
    expect(key.startsWith(made.prefix)).toBe(true);
    expect(await api.call('apiKeys.get', keyAt(made.id))).toEqual(made);
    const { text } = await api.send('apiKeys.list', here());
    expect(text).not.toContain(key);
    expect((await api.send('auditLog.list', here())).text).not.toContain(key);
  });

  it('is refused from its expiry on, to the millisecond', async () => {
    const made = await newKey(workspace, { expires_at: later(60_000).toISOString() });
    const own = api.as(made.key);
    now = later(59_999);
    await own.call('me.get');
    now = later(60_000);
    await own.refused('me.get', 401);
    expect(await api.call('apiKeys.get', keyAt(made.id))).toMatchObject({ status: 'expired' });
    now = start;
  });

  it('expires in the future, at a time that exists', async () => {
    const make = (expires_at: unknown) => ({ ...here(), body: { name: 'k', expires_at } });
    await api.refused('apiKeys.create', 422, make(start.toISOString()));
    await api.refused('apiKeys.create', 422, make('2001-01-01T00:00:00Z'));
    for (const bad of [
      'tomorrow',
      '2027-02-30T00:00:00Z',
      '2027-01-01',
      1_800_000_000,
      '9999-12-31T23:59:59-01:00',
    ])
      await api.refused('apiKeys.create', 400, make(bad));
    expect(await api.call('apiKeys.create', make('2027-01-01T01:00:00+01:00'))).toMatchObject({
      expires_at: '2027-01-01T00:00:00.000Z',
    });
  });

  it('is revoked at once, also on a connection that stays open', async () => {
    const made = await newKey(workspace);
    const own = api.as(made.key);
    await own.call('me.get');
    await api.call('apiKeys.revoke', keyAt(made.id));
    await everybodyKnows();
    await own.refused('me.get', 401);
    expect(await api.call('apiKeys.get', keyAt(made.id))).toMatchObject({
      status: 'revoked',
      revoked_at: start.toISOString(),
    });
    await api.call('apiKeys.revoke', keyAt(made.id));
    await api.refused('apiKeys.update', 422, { ...keyAt(made.id), body: { name: 'again' } });
    await api.refused('apiKeys.rotate', 422, { ...keyAt(made.id), body: {} });
  });

  it('can revoke itself', async () => {
    const made = await newKey(workspace);
    const own = api.as(made.key);
    await own.call('apiKeys.revoke', keyAt(made.id));
    await own.refused('apiKeys.list', 401, here());
  });

  it('has at least one scope, from the list', async () => {
    const make = (scopes: unknown) => ({ ...here(), body: { name: 'k', scopes } });
    for (const bad of [[], ['root'], ['events:delete'], 'events:read', [1], null, ['events:read ']])
      await api.refused('apiKeys.create', 400, make(bad));
    expect(await api.call('apiKeys.create', make(['events:read', 'events:read']))).toMatchObject({
      scopes: ['events:read'],
    });
    expect(await api.call('apiKeys.create', make(['events:read', '*']))).toMatchObject({ scopes: ['*'] });
  });

  it('has a name', async () => {
    for (const name of [undefined, '', '   ', 'x'.repeat(101), 'a\u0000b', 5])
      await api.refused('apiKeys.create', 400, { ...here(), body: { name } });
    const longest = '👩‍🚀'.repeat(33);
    expect((await newKey(workspace, { name: ` ${longest} ` })).name).toBe(longest);
  });

  it('of a workspace sees only that workspace', async () => {
    const other = await newWorkspace(workspace);
    const own = api.as((await newKey(workspace)).key);
    expect((await own.call('workspaces.list')).data.map(({ id }) => id)).toEqual([workspace.workspaceId]);
    await own.refused('workspaces.get', 404, { params: { id: other.workspaceId } });
    await own.refused('workspaces.create', 403, { body: { name: 'New', slug: unique('new') } });
    const inOther = await newKey(other);
    await own.refused('apiKeys.get', 404, keyAt(inOther.id));
  });
});

describe('the power of a key', () => {
  it('is the current role of its creator, its cap and its scopes, all at once', async () => {
    const member = await join(workspace, 'admin');
    const full = member.own;
    const capped = api.as((await newKey({ ...workspace, api: full }, { role: 'viewer' })).key);
    const scoped = api.as((await newKey({ ...workspace, api: full }, { scopes: ['members:read'] })).key);
    const reads: EndpointName[] = ['members.list', 'apiKeys.list'];
    const statuses = async (who: Api) =>
      Promise.all(reads.map(async (name) => (await who.send(name, here())).status));
    const set = (role: Role) =>
      api.call('members.update', {
        params: { id: workspace.workspaceId, userId: member.userId },
        body: { role },
      });
    expect([await statuses(full), await statuses(capped), await statuses(scoped)]).toEqual([
      [200, 200],
      [200, 403],
      [200, 403],
    ]);
    await set('viewer');
    expect([await statuses(full), await statuses(capped), await statuses(scoped)]).toEqual([
      [200, 403],
      [200, 403],
      [200, 403],
    ]);
    await set('admin');
    expect(await statuses(full)).toEqual([200, 200]);
  });

  it('is never more than that of the key that makes it', async () => {
    const maker = async (role: Role | null, scopes: string[]) =>
      api.as((await newKey(workspace, { role, scopes })).key);
    const narrow = await maker(null, ['api_keys:write', 'events:read']);
    const make = (body: object) => ({ ...here(), body: { name: 'k', ...body } });
    await narrow.refused('apiKeys.create', 403, make({ scopes: ['*'] }));
    await narrow.refused('apiKeys.create', 403, make({ scopes: ['events:write'] }));
    await narrow.refused('apiKeys.create', 403, make({ scopes: ['events:read', 'members:read'] }));
    expect(await narrow.call('apiKeys.create', make({}))).toMatchObject({
      scopes: ['api_keys:write', 'events:read'],
    });
    const capped = await maker('admin', ['*']);
    await capped.refused('apiKeys.create', 403, make({ role: 'owner' }));
    for (const role of [null, undefined, 'admin'])
      expect(await capped.call('apiKeys.create', make({ role }))).toMatchObject({ role: 'admin' });
    const personal = await api.call('personalApiKeys.create', {
      body: { name: 'p', scopes: ['api_keys:write', 'api_keys:read'] },
    });
    const limited = api.as(personal.key);
    await limited.refused('personalApiKeys.create', 403, { body: { name: 'p', scopes: ['*'] } });
    await limited.refused('apiKeys.create', 403, make({ scopes: ['events:read'] }));
  });

  it('cannot be raised by changing or rotating a key that has more', async () => {
    const admin = await join(workspace, 'admin');
    const owners = await newKey(workspace, { name: "the owner's" });
    for (const who of [admin.own, admin.personal]) {
      await who.refused('apiKeys.rotate', 403, { ...keyAt(owners.id), body: {} });
      await who.refused('apiKeys.update', 403, { ...keyAt(owners.id), body: { name: 'mine now' } });
      await who.refused('apiKeys.update', 403, { ...keyAt(owners.id), body: { role: 'viewer' } });
    }
    const narrow = api.as((await newKey(workspace, { scopes: ['api_keys:write'] })).key);
    const wide = await newKey(workspace, { scopes: ['api_keys:write', 'events:read'] });
    await narrow.refused('apiKeys.rotate', 403, { ...keyAt(wide.id), body: {} });
    await narrow.refused('apiKeys.update', 403, { ...keyAt(wide.id), body: { scopes: ['api_keys:write'] } });
    const own = await api.call('apiKeys.create', {
      ...here(),
      body: { name: 'k', scopes: ['api_keys:write'] },
    });
    await narrow.refused('apiKeys.update', 403, { ...keyAt(own.id), body: { scopes: ['*'] } });
    await narrow.call('apiKeys.rotate', { ...keyAt(own.id), body: {} });
    // Its cap is above the caller's role, although the key is the caller's own.
    const capped = api.as((await newKey(workspace, { role: 'admin' })).key);
    await capped.refused('apiKeys.update', 403, { ...keyAt(owners.id), body: { role: 'admin' } });
    const cappedToo = await newKey(workspace, { role: 'admin' });
    await capped.refused('apiKeys.update', 403, { ...keyAt(cappedToo.id), body: { role: null } });
    await capped.refused('apiKeys.update', 403, { ...keyAt(cappedToo.id), body: { role: 'owner' } });
  });

  it('does not last longer in a key that it makes, whether or not that names an expiry', async () => {
    const ends = later(60_000).toISOString();
    const workspaceKey = await newKey(workspace, { expires_at: ends });
    const personalKey = await api.call('personalApiKeys.create', { body: { name: 'p', expires_at: ends } });
    const makers = [
      (body: object) =>
        ['apiKeys.create', { ...here(), body }, workspaceKey.key] satisfies [EndpointName, object, string],
      (body: object) =>
        ['apiKeys.create', { ...here(), body }, personalKey.key] satisfies [EndpointName, object, string],
      (body: object) => ['personalApiKeys.create', { body }, personalKey.key] as const,
    ];
    for (const maker of makers) {
      for (const expires_at of [null, later(60_001).toISOString()]) {
        const [name, input, key] = maker({ name: 'k', expires_at });
        const refused = await api.as(key).refused(name, 403, input);
        expect(refused.details).toEqual([
          {
            field: 'expires_at',
            issue: `must not be after the calling key stops working, ${ends}; use the dashboard, or a key that lasts longer`,
          },
        ]);
      }
      for (const expires_at of [undefined, ends, later(59_999).toISOString()]) {
        const [name, input, key] = maker({ name: 'k', expires_at });
        expect(await api.as(key).call(name, input)).toMatchObject({ expires_at: expires_at ?? ends });
      }
    }
  });

  it('does not last longer by rotating or changing a key that does', async () => {
    const lasting = [
      await newKey(workspace),
      await newKey(workspace, { expires_at: later(60_001).toISOString() }),
    ];
    const ends = later(60_000).toISOString();
    const ending = await newKey(workspace, { expires_at: ends });
    const own = api.as(ending.key);
    for (const { id } of lasting) {
      await own.refused('apiKeys.rotate', 403, { ...keyAt(id), body: {} });
      await own.refused('apiKeys.update', 403, { ...keyAt(id), body: { scopes: ['*'] } });
    }
    await own.call('apiKeys.update', { ...keyAt(ending.id), body: { name: 'mine' } });
    const rotated = await own.call('apiKeys.rotate', { ...keyAt(ending.id), body: {} });
    expect(rotated.expires_at).toBe(ends);
  });

  it('does not last longer than the overlap for somebody who has only the old secret', async () => {
    const made = await newKey(workspace);
    const rotated = await api.call('apiKeys.rotate', { ...keyAt(made.id), body: { overlap_seconds: 60 } });
    const old = api.as(made.key);
    await old.refused('apiKeys.rotate', 403, { ...keyAt(made.id), body: {} });
    await old.refused('apiKeys.create', 403, { ...here(), body: { name: 'k', expires_at: null } });
    expect(await old.call('apiKeys.create', { ...here(), body: { name: 'k' } })).toMatchObject({
      expires_at: later(60_000).toISOString(),
    });
    expect(
      await api.as(rotated.key).call('apiKeys.create', { ...here(), body: { name: 'k' } }),
    ).toMatchObject({ expires_at: null });
  });

  it('stays with the keys that a revoked key made, which the audit log names', async () => {
    const maker = await newKey(workspace);
    const made = await api
      .as(maker.key)
      .call('apiKeys.create', { ...here(), body: { name: 'made by a key' } });
    await api.call('apiKeys.revoke', keyAt(maker.id));
    await api.as(made.key).call('me.get');
    const { data } = await api.call('auditLog.list', { ...here(), query: { action: 'api_key.created' } });
    const entry = data.find(({ targets }) => targets.some(({ id }) => id === made.id));
    expect(entry?.context.api_key_id).toBe(maker.id);
  });

  it('does not last longer by repeating the request of a key that does', async () => {
    const lasting = await newKey(workspace);
    const ending = await newKey(workspace, { expires_at: later(60_000).toISOString() });
    const made = await newKey(workspace);
    for (const [name, input] of [
      ['apiKeys.create', { ...here(), body: { name: 'k' } }],
      ['apiKeys.rotate', { ...keyAt(made.id), body: {} }],
    ] as const) {
      const repeated = { ...input, headers: { 'Idempotency-Key': unique('repeated') } };
      const first = await api.as(lasting.key).call(name, repeated);
      expect(await api.as(lasting.key).call(name, repeated)).toEqual(first);
      await api.as(ending.key).refused(name, 422, repeated);
    }
  });

  it('can be lowered, with effect at once', async () => {
    const made = await newKey(workspace);
    const own = api.as(made.key);
    await own.call('auditLog.list', here());
    await api.call('apiKeys.update', { ...keyAt(made.id), body: { role: 'viewer' } });
    await own.refused('auditLog.list', 403, here());
    await api.call('apiKeys.update', { ...keyAt(made.id), body: { role: null, scopes: ['events:read'] } });
    await own.refused('auditLog.list', 403, here());
    await own.call('events.list', here());
    expect(await api.call('apiKeys.update', { ...keyAt(made.id), body: { name: ' New ' } })).toMatchObject({
      name: 'New',
      scopes: ['events:read'],
      role: null,
    });
  });

  it('cannot be an unknown role, which is well-formed', async () => {
    const made = await newKey(workspace);
    const body = { name: 'x', role: 'boss' };
    const refused = await api.refused('apiKeys.create', 422, { ...here(), body });
    expect(refused.details).toEqual([{ field: 'role', issue: `must be one of ${ROLES.join(', ')}` }]);
    await api.refused('apiKeys.update', 422, { ...keyAt(made.id), body: { role: 'boss' } });
    await api.refused('apiKeys.update', 400, { ...keyAt(made.id), body: { role: 5 } });
  });

  it.each(ROLES)('lets only managers make keys: a real %s', async (role) => {
    const member = await join(workspace, role);
    const response = await member.own.send('apiKeys.create', { ...here(), body: { name: 'k' } });
    expect(response.status).toBe(role === 'owner' || role === 'admin' ? 201 : 403);
  });
});

describe('rotation', () => {
  it('ends the old secret at once by default', async () => {
    const made = await newKey(workspace);
    const rotated = await api.call('apiKeys.rotate', { ...keyAt(made.id), body: {} });
    expect(rotated.id).toBe(made.id);
    expect(rotated.key).not.toBe(made.key);
    await api.as(made.key).refused('me.get', 401);
    await api.as(rotated.key).call('me.get');
  });

  it('keeps the old secret until the end of the overlap, to the millisecond', async () => {
    const made = await newKey(workspace);
    const rotated = await api.call('apiKeys.rotate', { ...keyAt(made.id), body: { overlap_seconds: 60 } });
    now = later(59_999);
    expect((await api.as(made.key).call('me.get')).key.id).toBe(made.id);
    await api.as(rotated.key).call('me.get');
    now = later(60_000);
    await api.as(made.key).refused('me.get', 401);
    await api.as(rotated.key).call('me.get');
    now = start;
  });

  it('twice leaves only the last two secrets', async () => {
    const made = await newKey(workspace);
    const rotate = () => api.call('apiKeys.rotate', { ...keyAt(made.id), body: { overlap_seconds: 60 } });
    const second = await rotate();
    now = later(60_000);
    const third = await rotate();
    await api.as(made.key).refused('me.get', 401);
    await api.as(second.key).call('me.get');
    await api.as(third.key).call('me.get');
    await api.call('apiKeys.revoke', keyAt(made.id));
    await api.as(second.key).refused('me.get', 401);
    await api.as(third.key).refused('me.get', 401);
    now = start;
  });

  it('does not end the overlap of the rotation before, unless it has none itself', async () => {
    const made = await newKey(workspace);
    const rotate = (overlap_seconds: number) => ({ ...keyAt(made.id), body: { overlap_seconds } });
    const second = await api.call('apiKeys.rotate', rotate(60));
    now = later(59_999);
    const refused = await api.refused('apiKeys.rotate', 409, rotate(3_600));
    expect(refused.details).toEqual([
      { field: 'overlap_seconds', issue: expect.stringContaining(later(60_000).toISOString()) as string },
    ]);
    for (const { key } of [made, second]) await api.as(key).call('me.get');
    const third = await api.call('apiKeys.rotate', rotate(0));
    for (const { key } of [made, second]) await api.as(key).refused('me.get', 401);
    await api.as(third.key).call('me.get');
    now = start;
  });

  it('by the key itself can be repeated with the old secret, if the response was lost', async () => {
    const made = await newKey(workspace);
    const own = api.as(made.key);
    const headers = { 'Idempotency-Key': unique('rotation') };
    const rotation = { ...keyAt(made.id), body: { overlap_seconds: 60 }, headers };
    const lost = await own.call('apiKeys.rotate', rotation);
    now = later(59_999);
    expect(await own.call('apiKeys.rotate', rotation)).toEqual(lost);
    now = start;
  });

  it('overlaps for at most 7 days', async () => {
    const made = await newKey(workspace);
    for (const overlap_seconds of [-1, 1.5, 604_801, '60', null])
      await api.refused('apiKeys.rotate', 400, { ...keyAt(made.id), body: { overlap_seconds } });
    await api.call('apiKeys.rotate', { ...keyAt(made.id), body: { overlap_seconds: 604_800 } });
  });
});

describe('a personal key', () => {
  it('is listed and revoked by its user only', async () => {
    const member = await join(workspace, 'admin');
    const made = await api.call('personalApiKeys.create', { body: { name: 'laptop' } });
    expect(made.workspace_id).toBeNull();
    await member.personal.refused('personalApiKeys.revoke', 404, { params: { keyId: made.id } });
    const { data } = await member.personal.call('personalApiKeys.list');
    expect(data.map(({ id }) => id)).not.toContain(made.id);
    // The list of a workspace shows its own keys only.
    await api.refused('apiKeys.get', 404, keyAt(made.id));
    await api.call('personalApiKeys.revoke', { params: { keyId: made.id } });
    await api.as(made.key).refused('me.get', 401);
  });

  it('acts in every workspace where its user may manage keys, and in no other', async () => {
    const other = await newWorkspace(workspace);
    const member = await join(workspace, 'admin');
    const { token } = await invite(other, 'member', member.email);
    await member.personal.call('invitations.accept', { body: { token } });
    expect((await member.personal.call('workspaces.list')).data.map(({ id }) => id)).toEqual([
      workspace.workspaceId,
    ]);
    await member.personal.refused('workspaces.get', 403, { params: { id: other.workspaceId } });
    // A filter by that workspace is refused alike.
    const query = { workspace_id: other.workspaceId };
    await member.personal.refused('events.listAll', 403, { query });
    await member.personal.refused('notifications.list', 403, { query });
    await member.personal.refused('notifications.readAll', 403, { body: query });
    await member.personal.call('workspaces.get', here());
  });
});
