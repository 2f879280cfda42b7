import { LIMITS } from '@hubline/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import {
  everybodyKnows,
  invite,
  join,
  newKey,
  newStranger,
  newWorkspace,
  type TestWorkspace,
  startWorkspace,
  unique,
} from '../support/workspace.ts';

let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
let now = new Date('2026-03-01T10:00:00.000Z');

beforeAll(async () => {
  root = await startWorkspace({ clock: () => now });
});
afterAll(() => root.stop());
beforeEach(async () => {
  workspace = await newWorkspace(root);
});

const at = (userId: string) => ({ params: { id: workspace.workspaceId, userId } });
const here = () => ({ params: { id: workspace.workspaceId } });
const rolesOf = async (api: Api = workspace.api) =>
  Object.fromEntries(
    (await api.call('members.list', here())).data.map(({ user_id, role }) => [user_id, role]),
  );

const statuses = (responses: { status: number }[]) => responses.map(({ status }) => String(status)).sort();

describe('inviting', () => {
  it('returns a link, and makes a member who has no access yet', async () => {
    const invited = await invite(workspace, 'admin');
    expect(invited).toMatchObject({ role: 'admin', status: 'invited', invited_at: now.toISOString() });
    expect(Date.parse(invited.expires_at) - now.getTime()).toBe(LIMITS.invitationMs);
    expect(new URL(invited.invite_url).origin).toBe(root.server.url);
    const { data } = await workspace.api.call('members.list', here());
    expect(data.find(({ user_id }) => user_id === invited.user_id)).toMatchObject({
      status: 'invited',
      joined_at: null,
    });
  });

  it('in the variant form returns the status pending', async () => {
    const made = await workspace.api.call('members.create', {
      params: { workspace_id: workspace.workspaceId },
      body: { email: 'variant@example.com' },
    });
    expect(made).toMatchObject({ email: 'variant@example.com', role: 'member', status: 'pending' });
  });

  it('takes addresses in any case for the same person', async () => {
    const { email } = await invite(workspace, 'member', `Mixed.${unique('Case')}@Example.COM`);
    expect(email).toBe(email.toLowerCase());
    await workspace.api.refused('members.invite', 409, {
      ...here(),
      body: { email: ` ${email.toUpperCase()} ` },
    });
  });

  it('writes the domain of an address in ASCII: one mailbox is one person, and no letter passes for another', async () => {
    const local = unique('idn');
    const { email } = await invite(workspace, 'member', `${local}@Bücher.example`);
    expect(email).toBe(`${local}@xn--bcher-kva.example`);
    for (const same of [email, `${local}@bücher.example`.normalize('NFD'), `${local}@ｂücher.example`])
      await workspace.api.refused('members.invite', 409, { ...here(), body: { email: same } });
    const lookalike = await invite(workspace, 'member', `${local}@ex\u0430mple.com`);
    expect(lookalike.email).toBe(`${local}@xn--exmple-4nf.com`);
    const { message } = await workspace.api.refused('members.invite', 400, {
      ...here(),
      body: { email: '\u0430na@example.com' },
    });
    expect(message).toMatch(/^email must have only ASCII letters, digits and .* before the @\.$/);
  });

  it.each([
    'nobody',
    'a@ex%61mple.com',
    'a@exam\u00ADple.com',
    'a@example\u3002com',
    'a@1.2.3.4',
    `a@${'ü'.repeat(63)}.example`,
    '@example.com',
    'a@b',
    'a b@example.com',
    'a@@example.com',
    `${'x'.repeat(250)}@example.com`,
    'a@example.com\u0000',
    'a@exa\nmple.com',
  ])('refuses an address that is not one: %s', async (email) => {
    const { details } = await workspace.api.refused('members.invite', 400, { ...here(), body: { email } });
    expect(details?.[0]?.field).toBe('email');
  });

  it.each(['members.invite', 'members.create', 'members.resendInvite'] as const)(
    'somebody whose invitation has expired: %s makes a new one',
    async (name) => {
      const first = await invite(workspace, 'admin');
      const params = { ...at(first.user_id).params, workspace_id: workspace.workspaceId };
      const again = () =>
        workspace.api.send(name, {
          params,
          ...(name === 'members.resendInvite' ? {} : { body: { email: first.email, role: 'viewer' } }),
        });
      if (name !== 'members.resendInvite') expect((await again()).status).toBe(409);
      now = new Date(now.getTime() + LIMITS.invitationMs);
      const response = await again();
      expect(response.text).toContain(now.toISOString());
      const { invite_url: url } = response.json as { invite_url: string };
      const accept = (token: string | null) =>
        workspace.api.as(null).send('invitations.accept', { body: { token } });
      expect((await accept(first.token)).status).toBe(404);
      const joined = await accept(new URL(url).searchParams.get('token'));
      // Resending keeps the role; inviting again replaces it.
      expect(joined.json).toMatchObject({
        user_id: first.user_id,
        role: name === 'members.resendInvite' ? 'admin' : 'viewer',
      });
    },
  );

  it('somebody whose invitation has expired is in the audit log again, once for two requests at the same time', async () => {
    const { email, user_id } = await invite(workspace, 'viewer');
    now = new Date(now.getTime() + LIMITS.invitationMs);
    const body = { email, role: 'viewer' };
    const responses = await Promise.all(
      [1, 2].map(() => workspace.api.send('members.invite', { ...here(), body })),
    );
    expect(statuses(responses)).toEqual(['201', '409']);
    const { data } = await workspace.api.call('auditLog.list', {
      ...here(),
      query: { action: 'member.invited', target: user_id },
    });
    expect(data).toHaveLength(2);
  });

  it('is a conflict for a member and for somebody who is invited', async () => {
    const { email } = await invite(workspace, 'member');
    await workspace.api.refused('members.invite', 409, { ...here(), body: { email } });
    await workspace.api.refused('members.invite', 409, { ...here(), body: { email: 'owner@example.com' } });
  });

  it('refuses a role that does not exist with 422, and a value that is no text with 400', async () => {
    const body = (role: unknown) => ({ ...here(), body: { email: `${unique('x')}@example.com`, role } });
    await workspace.api.refused('members.invite', 422, body('emperor'));
    await workspace.api.refused('members.invite', 422, body(''));
    await workspace.api.refused('members.invite', 422, body('__proto__'));
    await workspace.api.refused('members.invite', 400, body(1));
    await workspace.api.refused('members.invite', 400, body(null));
  });

  it('as owner needs an owner', async () => {
    const admin = await join(workspace, 'admin');
    const body = { email: `${unique('x')}@example.com`, role: 'owner' };
    await admin.own.refused('members.invite', 403, { ...here(), body });
    const capped = workspace.api.as((await newKey(workspace, { role: 'admin' })).key);
    await capped.refused('members.invite', 403, { ...here(), body });
    expect(await workspace.api.call('members.invite', { ...here(), body })).toMatchObject({ role: 'owner' });
  });
});

describe('an invitation', () => {
  it('is accepted once', async () => {
    const { token, user_id } = await invite(workspace, 'viewer');
    const nobody = workspace.api.as(null);
    const joined = await nobody.call('invitations.accept', { body: { token } });
    expect(joined).toMatchObject({
      workspace_id: workspace.workspaceId,
      user_id,
      role: 'viewer',
      status: 'active',
    });
    const { details } = await nobody.refused('invitations.accept', 404, { body: { token } });
    expect(details?.[0]?.field).toBe('token');
  });

  it('is accepted once, even by many at once', async () => {
    const { token } = await invite(workspace, 'viewer');
    const responses = await Promise.all(
      Array.from({ length: 10 }, () =>
        workspace.api.as(null).send('invitations.accept', { body: { token } }),
      ),
    );
    expect(statuses(responses)).toEqual(['200', ...Array<string>(9).fill('404')]);
  });

  it('works until the end of its seventh day', async () => {
    const start = now;
    const early = await invite(workspace, 'viewer');
    const late = await invite(workspace, 'viewer');
    now = new Date(start.getTime() + LIMITS.invitationMs - 1);
    await workspace.api.as(null).call('invitations.accept', { body: { token: early.token } });
    now = new Date(start.getTime() + LIMITS.invitationMs);
    await workspace.api.as(null).refused('invitations.accept', 404, { body: { token: late.token } });
  });

  it('that is sent again replaces the previous link', async () => {
    const { token, user_id } = await invite(workspace, 'viewer');
    const again = await workspace.api.call('members.resendInvite', at(user_id));
    const next = new URL(again.invite_url).searchParams.get('token');
    expect(next).not.toBe(token);
    await workspace.api.as(null).refused('invitations.accept', 404, { body: { token } });
    await workspace.api.as(null).call('invitations.accept', { body: { token: next } });
    await workspace.api.refused('members.resendInvite', 422, at(user_id));
  });

  it('that is withdrawn does not work', async () => {
    const { token, user_id } = await invite(workspace, 'viewer');
    await workspace.api.call('members.remove', at(user_id));
    await workspace.api.as(null).refused('invitations.accept', 404, { body: { token } });
  });

  it('to be owner makes an owner only when it is accepted', async () => {
    const { user_id } = await invite(workspace, 'owner');
    // The invited owner does not count: the only active owner stays.
    await workspace.api.refused('members.update', 422, { ...at(root.userId), body: { role: 'admin' } });
    await workspace.api.refused('members.remove', 422, at(root.userId));
    await workspace.api.call('members.remove', at(user_id));
  });

  it.each([{}, { token: '' }, { token: 1 }, { token: 'x'.repeat(201) }])(
    'needs a token: %j',
    async (body) => {
      await workspace.api.as(null).refused('invitations.accept', 400, { body });
    },
  );
});

describe('a role', () => {
  it('changes at once, on every key of the member', async () => {
    const member = await join(workspace, 'admin');
    await member.own.call('apiKeys.list', here());
    await workspace.api.call('members.update', { ...at(member.userId), body: { role: 'viewer' } });
    await everybodyKnows();
    await member.own.refused('apiKeys.list', 403, here());
    await member.personal.refused('workspaces.get', 403, here());
    await member.own.call('workspaces.get', here());
    await workspace.api.call('members.update', { ...at(member.userId), body: { role: 'admin' } });
    await everybodyKnows();
    await member.own.call('apiKeys.list', here());
    await member.personal.call('workspaces.get', here());
  });

  it('that does not exist is 422, a missing one 400', async () => {
    const { userId } = await join(workspace, 'member');
    await workspace.api.refused('members.update', 422, { ...at(userId), body: { role: 'king' } });
    await workspace.api.refused('members.update', 400, { ...at(userId), body: {} });
    await workspace.api.refused('members.update', 400, { ...at(userId), body: { role: ['admin'] } });
  });

  it('above their own cannot be given by anybody', async () => {
    const admin = await join(workspace, 'admin');
    const other = await join(workspace, 'admin');
    const owner = await join(workspace, 'owner');
    for (const api of [admin.own, admin.personal]) {
      await api.refused('members.update', 403, { ...at(other.userId), body: { role: 'owner' } });
      await api.refused('members.update', 403, { ...at(admin.userId), body: { role: 'owner' } });
      await api.refused('members.update', 403, { ...at(owner.userId), body: { role: 'owner' } });
      await api.refused('members.update', 403, { ...at(owner.userId), body: { role: 'viewer' } });
      await api.refused('members.remove', 403, at(owner.userId));
    }
    // An owner's key with a cap does not act as an owner.
    const capped = workspace.api.as((await newKey(workspace, { role: 'admin' })).key);
    await capped.refused('members.update', 403, { ...at(other.userId), body: { role: 'owner' } });
    await capped.refused('members.update', 403, { ...at(owner.userId), body: { role: 'admin' } });
  });

  it('can be given to somebody who has not joined yet', async () => {
    const { token, user_id } = await invite(workspace, 'viewer');
    await workspace.api.call('members.update', { ...at(user_id), body: { role: 'member' } });
    expect(await workspace.api.as(null).call('invitations.accept', { body: { token } })).toMatchObject({
      role: 'member',
    });
  });
});

describe('ownership', () => {
  it('is transferred to an admin: the previous owner becomes admin and cannot take it back', async () => {
    const admin = await join(workspace, 'admin');
    const ownersKey = workspace.api.as((await newKey(workspace)).key);
    const updated = await workspace.api.call('members.update', {
      ...at(admin.userId),
      body: { role: 'owner' },
    });
    expect(updated).toMatchObject({ user_id: admin.userId, role: 'owner' });
    expect(await rolesOf()).toEqual({ [root.userId]: 'admin', [admin.userId]: 'owner' });
    for (const api of [workspace.api, ownersKey]) {
      await api.refused('members.update', 403, { ...at(root.userId), body: { role: 'owner' } });
      await api.refused('members.update', 403, { ...at(admin.userId), body: { role: 'admin' } });
      await api.refused('workspaces.delete', 403, here());
      await api.refused('workspaces.update', 403, { ...here(), body: { plan: 'team' } });
    }
    await admin.own.call('workspaces.update', { ...here(), body: { plan: 'team' } });
  });

  it.each(['member', 'viewer'] as const)('is not transferred to a %s', async (role) => {
    const { userId } = await join(workspace, role);
    await workspace.api.refused('members.update', 422, { ...at(userId), body: { role: 'owner' } });
    expect(await rolesOf()).toMatchObject({ [root.userId]: 'owner', [userId]: role });
  });

  it('is not transferred to an admin who has not joined', async () => {
    const { user_id } = await invite(workspace, 'admin');
    await workspace.api.refused('members.update', 422, { ...at(user_id), body: { role: 'owner' } });
  });

  it('stays with the sole owner', async () => {
    for (const role of ['admin', 'member', 'viewer'])
      await workspace.api.refused('members.update', 422, { ...at(root.userId), body: { role } });
    await workspace.api.refused('members.remove', 422, at(root.userId));
    expect(await rolesOf()).toEqual({ [root.userId]: 'owner' });
  });

  it.each(['demote', 'remove'] as const)(
    'survives two owners who %s each other at the same time',
    async (how) => {
      for (let round = 0; round < 5; round++) {
        workspace = await newWorkspace(root);
        const other = await join(workspace, 'owner');
        const against = (api: Api, userId: string) =>
          how === 'remove'
            ? api.send('members.remove', at(userId))
            : api.send('members.update', { ...at(userId), body: { role: 'admin' } });
        const responses = await Promise.all([
          against(workspace.api, other.userId),
          against(other.own, root.userId),
        ]);
        const succeeded = responses.filter(({ status }) => status < 300);
        expect(succeeded, responses.map(({ text }) => text).join()).toHaveLength(1);
        const survivor = responses[0] === succeeded[0] ? workspace.api : other.own;
        const owners = Object.values(await rolesOf(survivor)).filter((role) => role === 'owner');
        expect(owners).toHaveLength(1);
      }
    },
  );

  it('transferred twice at the same time goes to one', async () => {
    const [first, second] = [await join(workspace, 'admin'), await join(workspace, 'admin')];
    const responses = await Promise.all(
      [first, second].map(({ userId }) =>
        workspace.api.send('members.update', { ...at(userId), body: { role: 'owner' } }),
      ),
    );
    expect(statuses(responses)).toEqual(['200', '403']);
    expect(Object.values(await rolesOf()).sort()).toEqual(['admin', 'admin', 'owner']);
  });
});

describe('the invitations of a member', () => {
  const accept = (token: string) => ({ body: { token } });
  const nobody = () => workspace.api.as(null);

  it('to be owner end with the transfer of ownership, which the previous owner could take back with one', async () => {
    const admin = await join(workspace, 'admin');
    const [asOwner, asAdmin] = [await invite(workspace, 'owner'), await invite(workspace, 'admin')];
    await workspace.api.call('members.update', { ...at(admin.userId), body: { role: 'owner' } });
    await nobody().refused('invitations.accept', 404, accept(asOwner.token));
    await nobody().call('invitations.accept', accept(asAdmin.token));
    expect(await rolesOf()).toMatchObject({ [asOwner.user_id]: 'owner', [asAdmin.user_id]: 'admin' });
    expect(await rolesOf(admin.personal)).toMatchObject({ [root.userId]: 'admin', [admin.userId]: 'owner' });
  });

  it('end when the member may no longer invite, and others can send them again', async () => {
    const admin = await join(workspace, 'admin');
    const [theirs, others] = [await invite(admin, 'viewer'), await invite(workspace, 'viewer')];
    await workspace.api.call('members.update', { ...at(admin.userId), body: { role: 'member' } });
    await nobody().refused('invitations.accept', 404, accept(theirs.token));
    await nobody().call('invitations.accept', accept(others.token));
    const again = await invite(workspace, 'viewer', theirs.email);
    await nobody().call('invitations.accept', accept(again.token));
  });

  it('end with the membership: a link that was kept does not lead back in', async () => {
    const admin = await join(workspace, 'admin');
    const [theirs, sentAgain] = [await invite(admin, 'admin'), await invite(workspace, 'admin')];
    const { invite_url } = await admin.api.call('members.resendInvite', at(sentAgain.user_id));
    await workspace.api.call('members.remove', at(admin.userId));
    await nobody().refused('invitations.accept', 404, accept(theirs.token));
    const token = new URL(invite_url).searchParams.get('token') ?? '';
    await nobody().refused('invitations.accept', 404, accept(token));
  });
});

describe('a removed member', () => {
  it('has lost every key of the workspace at once, and can be invited again without getting them back', async () => {
    const member = await join(workspace, 'admin');
    await workspace.api.call('members.remove', at(member.userId));
    await member.own.refused('workspaces.get', 401, here());
    await member.personal.refused('workspaces.get', 404, here());
    expect((await member.personal.call('me.get')).memberships).toEqual([]);
    await workspace.api.refused('members.remove', 404, at(member.userId));

    const again = await invite(workspace, 'admin', member.email);
    expect(again.user_id).toBe(member.userId);
    await member.own.refused('workspaces.get', 401, here());
    await member.personal.call('invitations.accept', { body: { token: again.token } });
    await member.own.refused('workspaces.get', 401, here());
    await member.personal.call('workspaces.get', here());
  });

  it('may have removed themself', async () => {
    const member = await join(workspace, 'admin');
    await member.own.call('members.remove', at(member.userId));
    await member.own.refused('me.get', 401);
  });
});

it('the list of members has those of its workspace only, invited ones included', async () => {
  const stranger = await newStranger(root);
  await invite(stranger, 'viewer');
  expect(Object.keys(await rolesOf())).toEqual([root.userId]);
});
