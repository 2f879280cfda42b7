import type { Role } from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUserPassword } from '../../../src/start/bootstrap.ts';
import { parseServerConfig } from '../../../src/config/config.ts';
import { Browser } from '../support/browser.ts';
import {
  CHEAP,
  invite,
  join,
  newKey,
  newWorkspace,
  type TestWorkspace,
  startWorkspace,
  unique,
} from '../support/workspace.ts';
import { until } from '../support/until.ts';

const EMAIL = 'owner@example.com';
const PASSWORD = 'correct horse battery';
const DAY_MS = 24 * 60 * 60_000;

let workspace: TestWorkspace & { stop(): Promise<void> };
const start = new Date('2026-03-01T10:00:00.000Z');
let now = start;

const config = () => parseServerConfig(workspace.server.storage, {});
/** The limit counts attempts to log in per minute. */
const nextMinute = () => (now = new Date(now.getTime() + 60_000));

beforeAll(async () => {
  workspace = await startWorkspace({ clock: () => now });
  await setUserPassword(config(), { email: EMAIL, password: PASSWORD }, CHEAP);
});
afterAll(() => workspace.stop());

async function loggedIn(email = EMAIL, password = PASSWORD): Promise<Browser> {
  nextMinute();
  const browser = new Browser(workspace.server.url);
  expect((await browser.logIn(email, password)).status).toBe(200);
  return browser;
}

describe('logging in', () => {
  it('begins a session that the API accepts from the pages of the dashboard', async () => {
    const browser = await loggedIn();
    expect(browser.setCookie).toMatch(
      /^hubline_session_\d+=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    );
    const { json } = await browser.request('GET', '/session');
    expect(json).toEqual({
      user: { id: workspace.userId, email: EMAIL },
      memberships: [
        expect.objectContaining({ workspace_id: workspace.workspaceId, slug: 'acme', role: 'owner' }),
      ],
      // Only the operator sees paths of the machine.
      command_line: expect.objectContaining({ program: 'hubline', flags: '' }),
      version: expect.any(String),
    });
    const list = await browser.request('GET', '/v1/workspaces');
    expect(list.json.data).toMatchObject([{ id: workspace.workspaceId }]);
    const slug = unique('made');
    const made = await browser.request('POST', '/v1/workspaces', { body: { name: 'Made', slug } });
    expect([made.status, made.json.slug]).toEqual([201, slug]);
  });

  it('has its own cookie beside another server on the same host', async () => {
    const other = await startWorkspace();
    await setUserPassword(
      parseServerConfig(other.server.storage, {}),
      { email: EMAIL, password: PASSWORD },
      CHEAP,
    );
    const browser = await loggedIn();
    const beside = new Browser(other.server.url);
    await beside.logIn(EMAIL, PASSWORD);
    // A browser sends a host's cookies to all of its ports, and keeps only one of each name.
    const names = [browser.cookie, beside.cookie].map((each) => each?.split('=')[0]);
    expect(new Set(names).size).toBe(2);
    beside.cookie = `${browser.cookie}; ${beside.cookie}`;
    expect((await beside.request('GET', '/session')).json).not.toBeNull();
    await other.stop();
  });

  it.each([
    ['a wrong password', { email: EMAIL, password: 'not the password' }],
    ['an unknown user', { email: 'nobody@example.com', password: PASSWORD }],
    ['a user without a password', { email: 'invited@example.com', password: PASSWORD }],
  ])('is refused with the same words for %s', async (_, { email, password }) => {
    nextMinute();
    if (email.startsWith('invited'))
      await workspace.api.call('members.invite', { params: { id: workspace.workspaceId }, body: { email } });
    const browser = new Browser(workspace.server.url);
    const { status, json } = await browser.logIn(email, password);
    expect([status, json.error.code, browser.cookie]).toEqual([401, 'unauthorized', null]);
    expect(json.error.message).toMatch(/^The email address or the password is wrong\./);
  });

  it('names the field if the email address cannot be one', async () => {
    nextMinute();
    const { status, json } = await new Browser(workspace.server.url).logIn('nobody', PASSWORD);
    expect([status, json.error.details[0]?.field]).toEqual([400, 'email']);
  });

  it('sets a cookie for HTTPS alone behind a proxy that speaks it', async () => {
    const proxied = await startWorkspace({ flags: { behindProxy: true } });
    await setUserPassword(
      parseServerConfig(proxied.server.storage, {}),
      {
        email: EMAIL,
        password: PASSWORD,
      },
      CHEAP,
    );
    const browser = new Browser(proxied.server.url);
    await browser.logIn(EMAIL, PASSWORD, { 'X-Forwarded-Proto': 'https' });
    // If the public URL has a port, as with two servers here, the port is part of the name.
    expect(browser.setCookie).toMatch(/^__Host-hubline_session(?:_\d+)?=[^;]+; Path=\/; .*; Secure$/);
    const { json } = await browser.request('GET', '/session', {
      headers: { 'X-Forwarded-Proto': 'https' },
    });
    expect(json.user.email).toBe(EMAIL);
    // Without the prefix, another host of the domain could have set it, and log its visitors in to an account of its own.
    const { port } = new URL(proxied.server.url);
    browser.cookie = `hubline_session_${port}=${browser.cookie?.split('=')[1]}`;
    const planted = await browser.request('GET', '/session', { headers: { 'X-Forwarded-Proto': 'https' } });
    expect([planted.status, planted.json]).toEqual([200, null]);
    await proxied.stop();
  });
});

describe('a session', () => {
  it.each([
    ['without the header of the dashboard', { 'X-Hubline-Dashboard': null }],
    ['from another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['from another port of this host', { 'Sec-Fetch-Site': 'same-site' }],
    ['from a link or a bookmark', { 'Sec-Fetch-Site': 'none' }],
    ['from a program that has the cookie', { 'Sec-Fetch-Site': null }],
  ])('is not accepted %s', async (_, headers) => {
    const browser = await loggedIn();
    for (const [method, path] of [
      ['GET', '/v1/workspaces'],
      ['POST', '/v1/workspaces'],
    ] as const) {
      const { status } = await browser.request(method, path, {
        headers,
        ...(method === 'POST' ? { body: {} } : {}),
      });
      expect(status).toBe(401);
    }
    for (const [method, path] of [
      ['POST', '/session'],
      ['DELETE', '/session'],
      ['DELETE', '/session/others'],
      ['POST', '/session/password'],
    ] as const) {
      expect((await browser.request(method, path, { headers, body: {} })).status).toBe(403);
    }
    expect((await browser.request('GET', '/session')).json).not.toBeNull();
  });

  it('does not stand in for a bad key', async () => {
    const browser = await loggedIn();
    const headers = { Authorization: 'Bearer hl_nonsense' };
    expect((await browser.request('GET', '/v1/workspaces', { headers })).status).toBe(401);
  });

  it('has no key to describe', async () => {
    const browser = await loggedIn();
    const { status, json } = await browser.request('GET', '/v1/me');
    expect([status, json.error.message]).toEqual([403, expect.stringContaining('GET /session')]);
  });

  it('is told to name a workspace without being taken for a key', async () => {
    const browser = await loggedIn();
    const { status, json } = await browser.request('GET', '/v1/webhooks');
    expect([status, json.error.message]).toEqual([
      400,
      'workspace_id is required, except with a workspace key.',
    ]);
  });

  it('acts with the role that its user has now, in every workspace of theirs', async () => {
    const password = 'a password of sam';
    const sam = await join(workspace, 'viewer');
    const { email } = (
      await workspace.api.call('members.list', { params: { id: workspace.workspaceId } })
    ).data.find(({ user_id: id }) => id === sam.userId) ?? { email: '' };
    await setUserPassword(config(), { email, password }, CHEAP);
    const browser = await loggedIn(email, password);
    const params = { id: workspace.workspaceId, userId: sam.userId };
    const webhooks = () => browser.request('GET', `/v1/webhooks?workspace_id=${workspace.workspaceId}`);
    const events = () => browser.request('GET', `/v1/workspaces/${workspace.workspaceId}/events`);
    const invite = () =>
      browser.request('POST', `/v1/workspaces/${workspace.workspaceId}/members/invite`, {
        body: { email: `${unique('x')}@example.com` },
      });
    expect([(await events()).status, (await invite()).status]).toEqual([200, 403]);
    await workspace.api.call('members.update', { params, body: { role: 'admin' } });
    expect([(await webhooks()).status, (await invite()).status]).toEqual([200, 201]);
    await workspace.api.call('members.remove', { params });
    expect([(await events()).status, (await browser.request('GET', '/session')).json.memberships]).toEqual([
      404,
      [],
    ]);
  });

  it('is distinguished from a key in the audit log', async () => {
    const browser = await loggedIn();
    await browser.request('PATCH', `/v1/workspaces/${workspace.workspaceId}`, {
      body: { name: 'Acme Inc.' },
    });
    await newKey(workspace);
    const { data } = await workspace.api.call('auditLog.list', {
      params: { id: workspace.workspaceId },
      query: { limit: '2' },
    });
    expect(data).toMatchObject([
      { action: 'api_key.created', actor: { type: 'api_key' }, context: { api_key_id: expect.any(String) } },
      { action: 'workspace.updated', actor: { type: 'user', name: EMAIL }, context: { api_key_id: null } },
    ]);
  });

  it('ends after 30 days, and when its user logs out', async () => {
    const [first, second] = [await loggedIn(), await loggedIn()];
    const { cookie } = first;
    expect((await first.request('DELETE', '/session')).status).toBe(204);
    expect(first.cookie).toBeNull();
    first.cookie = cookie;
    expect((await first.request('GET', '/v1/workspaces')).status).toBe(401);
    now = new Date(now.getTime() + 30 * DAY_MS - 1);
    expect((await second.request('GET', '/v1/workspaces')).status).toBe(200);
    now = new Date(now.getTime() + 1);
    const { status, json } = await second.request('GET', '/v1/workspaces');
    expect([status, json.error.message]).toEqual([401, 'The session has ended. Log in again.']);
  });

  it('is ended from another device', async () => {
    const [here, lost] = [await loggedIn(), await loggedIn()];
    expect((await here.request('DELETE', '/session/others')).status).toBe(204);
    expect((await lost.request('GET', '/session')).json).toBeNull();
    expect((await here.request('GET', '/session')).json).not.toBeNull();
  });

  it('follows events until it ends', async () => {
    const browser = await loggedIn();
    const { server, workspaceId } = workspace;
    const stream = await fetch(`${server.baseUrl}/workspaces/${workspaceId}/events/stream`, {
      headers: { Cookie: browser.cookie ?? '', 'X-Hubline-Dashboard': '1', 'Sec-Fetch-Site': 'same-origin' },
    });
    expect(stream.status).toBe(200);
    let ended = false;
    void (async () => {
      for await (const _ of stream.body ?? []);
      ended = true;
    })();
    await browser.request('DELETE', '/session');
    await until('the end of the stream', () => ended);
  });
});

describe('a page that follows its session', () => {
  const PASSWORD = 'a password of their own';
  /** Logs a user in, and waits for changes as a page does. */
  async function follower(role: Role) {
    const member = await join(workspace, role);
    await setUserPassword(config(), { email: member.email, password: PASSWORD, keepKeys: true }, CHEAP);
    const browser = await loggedIn(member.email, PASSWORD);
    let { version } = (await browser.request('GET', '/session')).json;
    return {
      ...member,
      browser,
      params: { id: workspace.workspaceId, userId: member.userId },
      /** Asks for the next change. The response comes when there is one. */
      async next() {
        const { json: session } = await browser.request('GET', `/session/changes?version=${version}`);
        version = session?.version;
        return {
          session,
          roles: session?.memberships.map(({ role: each }) => each).toSorted((a, b) => (a < b ? -1 : 1)),
        };
      },
    };
  }

  it('learns at once what it did not know', async () => {
    const { browser } = await follower('viewer');
    for (const query of ['', '?version=', '?version=of-another-time'])
      expect((await browser.request('GET', `/session/changes${query}`)).json.memberships).toHaveLength(1);
  });

  it.each([
    ['a promotion', ['admin'], 'update', { role: 'admin' }],
    ['a removal', [], 'remove', undefined],
  ] as const)('is told of %s', async (_, roles, how, body) => {
    const { next, params } = await follower('member');
    const told = next();
    await workspace.api.call(`members.${how}`, { params, body });
    expect((await told).roles).toEqual(roles);
  });

  it('learns of both roles when ownership is transferred', async () => {
    const [owner, admin] = [await follower('owner'), await follower('admin')];
    const told = Promise.all([owner.next(), admin.next()]);
    await owner.own.call('members.update', { params: admin.params, body: { role: 'owner' } });
    expect((await told).map(({ roles }) => roles)).toEqual([['admin'], ['owner']]);
    await workspace.api.call('members.update', { params: owner.params, body: { role: 'viewer' } });
  });

  it('learns of workspaces that are made, joined, renamed and deleted', async () => {
    const { next, browser, email, personal } = await follower('admin');
    let told = next();
    const { id } = await personal.call('workspaces.create', { body: { name: 'Own', slug: unique('own') } });
    expect((await told).roles).toEqual(['admin', 'owner']);
    const other = await newWorkspace(workspace);
    const { token } = await invite(other, 'viewer', email);
    told = next();
    await browser.request('POST', '/v1/invitations/accept', { body: { token } });
    expect((await told).roles).toEqual(['admin', 'owner', 'viewer']);
    told = next();
    await other.api.call('workspaces.update', { params: { id: other.workspaceId }, body: { name: 'New' } });
    expect((await told).roles).toHaveLength(3);
    told = next();
    await personal.call('workspaces.delete', { params: { id } });
    expect((await told).roles).toEqual(['admin', 'viewer']);
  });

  it.each(['logs out', 'changes the password on another device', 'is given one by the operator'])(
    'ends when its user %s',
    async (how) => {
      const { next, browser, email } = await follower('viewer');
      const told = next();
      if (how === 'logs out') await browser.request('DELETE', '/session', {});
      else if (how === 'is given one by the operator')
        await setUserPassword(config(), { email, password: PASSWORD }, CHEAP);
      else {
        const phone = await loggedIn(email, PASSWORD);
        await phone.request('POST', '/session/password', {
          body: { current_password: PASSWORD, new_password: 'another password' },
        });
      }
      expect((await told).session).toBeNull();
    },
  );
});

describe('the password', () => {
  it('is changed by a user who knows it, and all other sessions end', async () => {
    const [here, elsewhere] = [await loggedIn(), await loggedIn()];
    nextMinute();
    const change = (current_password: string, new_password: string) =>
      here.request('POST', '/session/password', { body: { current_password, new_password } });
    const wrong = await change('not the password', 'the next password');
    expect([wrong.status, wrong.json.error.details[0]?.field]).toEqual([422, 'current_password']);
    const short = await change(PASSWORD, 'short');
    expect([short.status, short.json.error.details[0]?.field]).toEqual([400, 'new_password']);
    expect((await elsewhere.request('GET', '/session')).json).not.toBeNull();

    expect((await change(PASSWORD, 'the next password')).status).toBe(204);
    expect((await here.request('GET', '/session')).json).not.toBeNull();
    expect((await elsewhere.request('GET', '/session')).json).toBeNull();
    expect((await here.logIn(EMAIL, PASSWORD)).status).toBe(401);
    expect((await here.logIn(EMAIL, 'the next password')).status).toBe(200);

    // `hubline server set-password` is for a user who has forgotten the password. It ends every session.
    await setUserPassword(config(), { email: EMAIL, password: PASSWORD }, CHEAP);
    expect((await here.request('GET', '/session')).json).toBeNull();
    await loggedIn();
  });

  it('cannot be set for an unknown user, nor be short', async () => {
    await expect(
      setUserPassword(config(), { email: 'nobody@example.com', password: PASSWORD }, CHEAP),
    ).rejects.toThrow('There is no user nobody@example.com');
    await expect(setUserPassword(config(), { email: EMAIL, password: 'short' }, CHEAP)).rejects.toThrow(
      'The password must have at least 12 characters.',
    );
  });
});
