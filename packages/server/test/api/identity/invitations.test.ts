import { connect } from 'node:net';
import { HEADERS, LIMITS } from '@hubline/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bootstrap, setUserPassword } from '../../../src/start/bootstrap.ts';
import { parseServerConfig } from '../../../src/config/config.ts';
import {
  type Account,
  canLogIn,
  FIRST_PASSWORD,
  hasJoined,
  inviteByMail,
  newAccount,
  newBrowser,
} from '../support/identity.ts';
import { type Mailbox, startMailbox } from '../support/stand-ins/mailbox.ts';
import {
  CHEAP,
  invite,
  join,
  newKey,
  newStranger,
  newWorkspace,
  type TestWorkspace,
  startWorkspace,
  unique,
} from '../support/workspace.ts';
import { until } from '../support/until.ts';

const PASSWORD = 'the password of their choice';

let root: TestWorkspace & { stop(): Promise<void> };
/** A new workspace for each test. */
let workspace: TestWorkspace;
let mailbox: Mailbox;
let now = new Date('2026-03-01T10:00:00.000Z');

beforeAll(async () => {
  mailbox = await startMailbox();
  root = await startWorkspace({
    clock: () => now,
    env: { HUBLINE_SMTP_URL: mailbox.url },
    flags: { behindProxy: true },
  });
});
afterAll(async () => {
  await root.stop();
  await mailbox[Symbol.asyncDispose]();
});
beforeEach(async () => {
  workspace = await newWorkspace(root);
});

const config = () => parseServerConfig(root.server.storage, {});
const accept = (body: object, api = root.api.as(null), headers: Record<string, string> = {}) =>
  api.send('invitations.accept', { body, headers });
const refusal = (response: { json: unknown }) =>
  (response.json as { error: { code: string; message: string; details?: { field: string }[] } }).error;

it('a workspace whose name is an address puts no link into the emails to strangers', async () => {
  const named = await newWorkspace(root);
  const name = 'Prize! Click https://evil.example/x or www.evil.example';
  await root.api.call('workspaces.update', { params: { id: named.workspaceId }, body: { name } });
  await inviteByMail(named, mailbox);
  const mail = decoded(mailbox.mails.at(-1)?.text ?? '');
  expect(mail).toContain('Prize! Click https');
  // Mail programs find links like this: by their scheme, and by the dots of a name.
  const links = mail.match(/https?:\/\/\S+|\b[\w-]+(?:\.[\w-]+)*\.example\b(?!\.)/g);
  expect(links).toEqual([expect.stringMatching(`^${root.server.url}/invite\\?token=`)]);
  // A name cannot begin a new line of the email either.
  const broken = { name: 'Prize\r\nBcc: everybody@example.com' };
  await root.api.refused('workspaces.update', 400, { params: { id: named.workspaceId }, body: broken });
});

/** The text of an email, without its transfer encoding. */
const decoded = (mail: string) =>
  mail
    .replaceAll('=\n', '')
    .replaceAll(/(?:=[\dA-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString());

describe('the account of an owner without a password', () => {
  it('is not taken over by a viewer who invites them to a workspace of their own', async () => {
    const { personal: viewer } = await join(root, 'viewer');
    const trap = await viewer.call('workspaces.create', { body: { name: 'Trap', slug: unique('trap') } });
    const { invite_url: url } = await viewer.call('members.invite', {
      params: { id: trap.id },
      body: { email: 'owner@example.com' },
    });
    const token = new URL(url).searchParams.get('token') ?? '';
    const taken = await accept({ token, password: PASSWORD });
    expect([taken.status, refusal(taken).code]).toEqual([401, 'unauthorized']);
    const page = await newBrowser(root).page('/invite', { token, password: PASSWORD });
    expect(page.status).toBe(401);
    expect(await canLogIn(root, 'owner@example.com', PASSWORD)).toBe(false);
    // The owner can still join, with a key as proof.
    expect((await accept({ token }, root.api)).status).toBe(200);
  });
});

describe('a password sent along with an invitation', () => {
  it('is never compared with that of an account, so that nothing can be guessed', async () => {
    const { email, returned, mailed } = await inviteByMail(
      workspace,
      mailbox,
      (await newAccount(root, mailbox, 'mailed')).email,
    );
    const responses = [];
    for (const token of [returned, mailed])
      for (const password of [FIRST_PASSWORD, 'not the password'])
        responses.push(await accept({ token, password }));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]));
    expect(new Set(responses.map((response) => refusal(response).message)).size).toBe(1);
    expect(refusal(responses[0] as never).message).toContain(`${email} has an account. Log in`);
  });

  it('does not change that of somebody who is logged in', async () => {
    const account = await newAccount(root, mailbox, 'returned');
    const { returned } = await inviteByMail(workspace, mailbox, account.email);
    const response = await accept({ token: returned, password: PASSWORD }, account.personalKey);
    expect([response.status, refusal(response).details?.[0]?.field]).toEqual([422, 'password']);
    expect((await accept({ token: returned }, account.personalKey)).status).toBe(200);
    expect(await canLogIn(root, account.email, FIRST_PASSWORD)).toBe(true);
  });

  it('must be one that can be used, and is needed to take an account over', async () => {
    const { token } = await invite(workspace, 'viewer');
    const short = await accept({ token, password: 'short' });
    expect([short.status, refusal(short).details?.[0]?.field]).toEqual([400, 'password']);
    const missing = await accept({ token, take_over: true });
    expect([missing.status, refusal(missing).details?.[0]?.field]).toEqual([422, 'password']);
    expect((await accept({ token, password: PASSWORD })).status).toBe(200);
  });
});

describe('a caller', () => {
  let account: Account;
  let returned: string;
  beforeEach(async () => {
    account = await newAccount(root, mailbox, 'mailed');
    ({ returned } = await inviteByMail(workspace, mailbox, account.email));
  });

  it('who is somebody else is told who is invited, and what to do', async () => {
    const response = await accept({ token: returned }, root.api);
    expect([response.status, refusal(response).message]).toEqual([
      403,
      `This invitation is for ${account.email}, and you are owner@example.com. Log in as ${account.email}, or send a personal API key of that account.`,
    ]);
  });

  it('needs a personal key, with the scope for it', async () => {
    const bound = await accept({ token: returned }, account.workspaceKey);
    expect([bound.status, refusal(bound).message]).toEqual([
      403,
      expect.stringContaining('Send a personal API key'),
    ]);
    const { key } = await account.personalKey.call('personalApiKeys.create', {
      body: { name: 'reader', scopes: ['members:read'] },
    });
    const reader = await accept({ token: returned }, root.api.as(key));
    expect([reader.status, refusal(reader).message]).toEqual([403, expect.stringContaining('members:write')]);
    expect(await hasJoined(workspace, account.userId)).toBe(false);
  });

  it('whose key is unknown is refused, even where none is needed', async () => {
    const { token } = await invite(workspace, 'viewer');
    expect((await accept({ token }, root.api.as('hl_nonsense'))).status).toBe(401);
    expect((await accept({ token })).status).toBe(200);
  });

  it('is in the audit log as the one who joined', async () => {
    const { token, user_id: fresh } = await invite(workspace, 'viewer');
    await accept({ token });
    await accept({ token: returned }, account.personalKey);
    const { data } = await workspace.api.call('auditLog.list', {
      params: { id: workspace.workspaceId },
      query: { action: 'member.joined' },
    });
    expect(data.map(({ actor }) => [actor.type, actor.id])).toEqual([
      ['api_key', account.userId],
      ['user', fresh],
    ]);
  });
});

describe('somebody who has squatted an address', () => {
  let squatter: Account;
  beforeEach(async () => {
    squatter = await newAccount(root, mailbox, 'returned');
  });

  it('gets nothing from a workspace that invites the address later', async () => {
    const { userId } = await inviteByMail(workspace, mailbox, squatter.email);
    const path = `/v1/workspaces/${workspace.workspaceId}`;
    expect((await squatter.session.request('GET', path)).status).toBe(404);
    expect(
      (await squatter.personalKey.send('workspaces.get', { params: { id: workspace.workspaceId } })).status,
    ).toBe(404);
    const { json } = await squatter.session.request('GET', '/session');
    expect(JSON.stringify(json)).not.toContain(workspace.workspaceId);
    expect(await hasJoined(workspace, userId)).toBe(false);
  });

  it('loses password, sessions and keys to the owner of the mailbox', async () => {
    const { mailed, userId } = await inviteByMail(workspace, mailbox, squatter.email);
    const careful = await accept({ token: mailed, password: PASSWORD });
    expect([careful.status, refusal(careful).message]).toEqual([401, expect.stringContaining('take_over')]);
    expect((await accept({ token: mailed, password: PASSWORD, take_over: true })).status).toBe(200);

    expect(await hasJoined(workspace, userId)).toBe(true);
    expect(await canLogIn(root, squatter.email, FIRST_PASSWORD)).toBe(false);
    expect(await canLogIn(root, squatter.email, PASSWORD)).toBe(true);
    expect((await squatter.session.request('GET', '/session')).json).toBeNull();
    for (const api of [squatter.personalKey, squatter.workspaceKey]) await api.refused('me.get', 401);
    // The audit logs of that account's workspaces say why its keys no longer work.
    const { data } = await squatter.home.api.call('auditLog.list', {
      params: { id: squatter.home.workspaceId },
      query: { action: 'member.account_reset' },
    });
    expect(data).toMatchObject([{ actor: { id: userId }, metadata: { keys_revoked: 2 } }]);
  });

  it('loses the links of invitations that the account has made', async () => {
    const { mailed } = await inviteByMail(workspace, mailbox, squatter.email);
    const kept = await invite({ ...squatter.home, api: squatter.workspaceKey }, 'admin');
    expect((await accept({ token: mailed, password: PASSWORD, take_over: true })).status).toBe(200);
    expect((await accept({ token: kept.token })).status).toBe(404);
  });

  it('does not keep anything by a request that is under way', async () => {
    const { mailed } = await inviteByMail(workspace, mailbox, squatter.email);
    // The server accepts the request while the session is valid. The rest of the body follows after the session has
    // ended.
    const body = JSON.stringify({ name: 'a key for later' });
    const slow = sendSlowly(squatter, '/v1/me/api-keys', body);
    await slow.begun;
    expect((await accept({ token: mailed, password: PASSWORD, take_over: true })).status).toBe(200);
    expect(await slow.finish()).toMatch(/^HTTP\/1\.1 401 /);
    const owner = newBrowser(root);
    await owner.logIn(squatter.email, PASSWORD);
    const { json } = await owner.request('GET', '/v1/me/api-keys');
    expect(
      (json.data as { revoked_at: string | null }[]).filter(({ revoked_at: at }) => at === null),
    ).toEqual([]);
  });

  it('is locked out by the operator where no email is sent', async () => {
    const result = await setUserPassword(config(), { email: squatter.email, password: PASSWORD }, CHEAP);
    expect(result).toMatchObject({ user_id: squatter.userId, keys_revoked: 2 });
    await squatter.personalKey.refused('me.get', 401);
    // From now on the account has an owner: a new password leaves the keys alone, and no email takes the account over.
    const { api_key: key } = await bootstrap(config(), { email: squatter.email, newKey: true });
    expect(
      await setUserPassword(config(), { email: squatter.email, password: FIRST_PASSWORD }, CHEAP),
    ).toMatchObject({
      keys_revoked: 0,
    });
    await root.api.as(key).call('me.get');
    const { mailed } = await inviteByMail(workspace, mailbox, squatter.email);
    expect((await accept({ token: mailed, password: PASSWORD, take_over: true })).status).toBe(401);
  });

  it('keeps the keys if the operator says so', async () => {
    const input = { email: squatter.email, password: PASSWORD, keepKeys: true };
    expect(await setUserPassword(config(), input, CHEAP)).toMatchObject({ keys_revoked: 0 });
    await squatter.personalKey.call('me.get');
    expect((await squatter.session.request('GET', '/session')).json).toBeNull();
  });
});

describe('an address that is invited twice', () => {
  it('belongs to the older invitation, and a stranger cannot get in between', async () => {
    const { token, email } = await invite(workspace, 'viewer');
    const later = await invite(await newStranger(root), 'viewer', email);
    const response = await accept({ token: later.token, password: PASSWORD });
    expect([response.status, refusal(response).message]).toEqual([
      409,
      expect.stringContaining('older invitation'),
    ]);
    expect((await accept({ token, password: PASSWORD })).status).toBe(200);
    expect((await accept({ token: later.token })).status).toBe(401);
    const browser = newBrowser(root);
    await browser.logIn(email, PASSWORD);
    const both = await browser.request('POST', '/v1/invitations/accept', { body: { token: later.token } });
    expect(both.status).toBe(200);
  });

  it.each(['expires', 'is withdrawn'])('belongs to the next one when the older one %s', async (how) => {
    const stranger = await newStranger(root);
    const { email, user_id: userId } = await invite(stranger, 'viewer');
    now = new Date(now.getTime() + (how === 'expires' ? LIMITS.invitationMs - 1 : 1));
    const { token } = await invite(workspace, 'viewer', email);
    expect((await accept({ token })).status).toBe(409);
    if (how === 'expires') now = new Date(now.getTime() + 1);
    else await stranger.api.call('members.remove', { params: { id: stranger.workspaceId, userId } });
    expect((await accept({ token, password: PASSWORD })).status).toBe(200);
  });

  it('gets one first password, however many links are used at the same moment', async () => {
    const links = await inviteByMail(workspace, mailbox);
    const others = await inviteByMail(await newStranger(root), mailbox, links.email);
    const tokens = [links.returned, others.mailed];
    const responses = await Promise.all(
      tokens.map((token, index) => accept({ token, password: `${PASSWORD} ${index}` })),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    const winner = responses.findIndex(({ status }) => status === 200);
    expect(await canLogIn(root, links.email, `${PASSWORD} ${winner}`)).toBe(true);
  });
});

describe('the two links of an invitation', () => {
  it.each(['returned', 'mailed'] as const)('stop working together when the %s one is used', async (first) => {
    const links = await inviteByMail(workspace, mailbox);
    const both = await Promise.all([links.returned, links.mailed].map((token) => accept({ token })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    const later = await inviteByMail(workspace, mailbox);
    expect((await accept({ token: later[first] })).status).toBe(200);
    for (const token of [later.returned, later.mailed]) expect((await accept({ token })).status).toBe(404);
  });

  it('stop working together: sent again, withdrawn, expired', async () => {
    const dead: string[] = [];
    const kill = ({ returned, mailed }: { returned: string; mailed: string }) => dead.push(returned, mailed);
    const sent = await inviteByMail(workspace, mailbox);
    kill(sent);
    await workspace.api.call('members.resendInvite', {
      params: { id: workspace.workspaceId, userId: sent.userId },
    });
    const withdrawn = await inviteByMail(workspace, mailbox);
    kill(withdrawn);
    await workspace.api.call('members.remove', {
      params: { id: workspace.workspaceId, userId: withdrawn.userId },
    });
    for (const token of dead) expect((await accept({ token })).status).toBe(404);
    const expired = await inviteByMail(workspace, mailbox);
    now = new Date(now.getTime() + LIMITS.invitationMs);
    for (const token of [expired.returned, expired.mailed])
      expect((await accept({ token })).status).toBe(404);
  });

  it('do not work for a member who was removed, who needs a new one', async () => {
    const account = await newAccount(root, mailbox, 'mailed');
    const links = await inviteByMail(workspace, mailbox, account.email);
    await accept({ token: links.returned }, account.personalKey);
    await workspace.api.call('members.remove', {
      params: { id: workspace.workspaceId, userId: account.userId },
    });
    for (const token of [links.returned, links.mailed])
      expect((await accept({ token }, account.personalKey)).status).toBe(404);
    const again = await inviteByMail(workspace, mailbox, account.email);
    expect((await accept({ token: again.returned }, account.personalKey)).status).toBe(200);
  });
});

describe('accepting with an Idempotency-Key', () => {
  const withKey = (key: string) => ({ [HEADERS.idempotencyKey]: key });

  it('is done once, and gives the same response again to a caller with the token', async () => {
    const { token } = await invite(workspace, 'viewer');
    const key = unique('key');
    const body = { token, password: PASSWORD };
    const [first, second] = await Promise.all([1, 2].map(() => accept(body, undefined, withKey(key))));
    const third = await accept(body, undefined, withKey(key));
    expect([first?.status, second?.text, third.text]).toEqual([200, first?.text, first?.text]);
    expect(third.headers.get(HEADERS.idempotencyReplayed)).toBe('true');

    const changed = await accept({ token, password: `${PASSWORD}!` }, undefined, withKey(key));
    expect([changed.status, refusal(changed).message]).toEqual([
      422,
      expect.stringContaining(HEADERS.idempotencyKey),
    ]);
    expect((await accept(body)).status).toBe(404);
  });

  it('has its own keys for every token, and for every caller', async () => {
    const key = unique('key');
    for (const { token } of [await invite(workspace, 'viewer'), await invite(workspace, 'viewer')])
      expect((await accept({ token }, undefined, withKey(key))).status).toBe(200);
    const account = await newAccount(root, mailbox, 'mailed');
    const { returned: token } = await inviteByMail(workspace, mailbox, account.email);
    expect((await accept({ token }, account.personalKey, withKey(key))).status).toBe(200);
    // The inviter has seen the link, and could guess the key.
    expect((await accept({ token }, undefined, withKey(key))).status).toBe(404);
    expect((await accept({ token }, account.personalKey, withKey(key))).status).toBe(200);
  });

  it('stores no refusal of a stranger, who can try again after the cause is removed', async () => {
    const stranger = await newStranger(root);
    const { email, user_id: userId } = await invite(stranger, 'viewer');
    now = new Date(now.getTime() + 1);
    const { token } = await invite(workspace, 'viewer', email);
    const key = unique('key');
    expect((await accept({ token }, undefined, withKey(key))).status).toBe(409);
    await stranger.api.call('members.remove', { params: { id: stranger.workspaceId, userId } });
    expect((await accept({ token }, undefined, withKey(key))).status).toBe(200);
  });
});

describe('a key that is revoked while the body of a request comes in', () => {
  it.each([
    ['makes no key that outlives it', 'api-keys', { name: 'a key for later' }],
    ['publishes nothing', 'events', { type: 'deploy', payload: {} }],
  ])('%s', async (_, noun, value) => {
    const admin = await join(root, 'admin');
    const { key, id } = await newKey({ ...root, api: admin.own });
    const body = JSON.stringify(value);
    const path = `/v1/workspaces/${root.workspaceId}/${noun}`;
    const slow = sendSlowly({ key }, path, body);
    await slow.begun;
    await root.api.call('apiKeys.revoke', { params: { id: root.workspaceId, keyId: id } });
    expect(await slow.finish()).toMatch(/^HTTP\/1\.1 401 /);
  });
});

it('a role that is lowered while the body of a request comes in applies to that request', async () => {
  const { own, userId } = await join(root, 'admin');
  const { key } = await newKey({ ...root, api: own });
  const path = `/v1/workspaces/${root.workspaceId}/events`;
  const slow = sendSlowly({ key }, path, JSON.stringify({ type: 'deploy', payload: {} }));
  await slow.begun;
  await root.api.call('members.update', {
    params: { id: root.workspaceId, userId },
    body: { role: 'viewer' },
  });
  expect(await slow.finish()).toMatch(/^HTTP\/1\.1 403 /);
});

/** Sends a request except for its last byte, which `finish` sends. `begun` resolves when the server has accepted it. */
function sendSlowly(who: Account | { key: string }, path: string, body: string) {
  const { hostname, port } = new URL(root.server.url);
  const credential =
    'key' in who
      ? [`Authorization: Bearer ${who.key}`]
      : [`Cookie: ${who.session.cookie}`, 'X-Hubline-Dashboard: 1', 'Sec-Fetch-Site: same-origin'];
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: hubline',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
    'Connection: close',
    ...credential,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const begin = async (): Promise<void> => {
    await until('the server to read on', () => received.startsWith('HTTP/1.1 100'));
    socket.write(body.slice(0, -1));
    // The server has responded to a later request of the same caller, so it has accepted this one.
    const headers: Record<string, string> =
      'key' in who ? { Authorization: `Bearer ${who.key}` } : { Cookie: who.session.cookie ?? '' };
    await fetch(`${root.server.url}/v1/me`, { headers });
  };
  return {
    begun: begin(),
    async finish(): Promise<string> {
      received = '';
      socket.write(body.slice(-1));
      await until('the response', () => socket.readableEnded || received.includes('\r\n\r\n'));
      socket.destroy();
      return received;
    },
  };
}
