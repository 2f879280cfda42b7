import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { revokeAllApiKeysOf } from '../../../src/db/identity/api-keys.ts';
import { deleteMember, updateMember } from '../../../src/db/identity/members.ts';
import { lockUser } from '../../../src/db/identity/users.ts';
import { lockWorkspace } from '../../../src/db/workspaces/workspaces.ts';
import { changing } from '../../peers/changing.ts';
import { until } from '../support/until.ts';
import {
  invite,
  join,
  type Joined,
  newWorkspace,
  startWorkspace,
  type TestWorkspace,
} from '../support/workspace.ts';

// Requests of an admin that are under way while the admin is removed or becomes a viewer, or the account is given back to its owner.

let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
let admin: Joined;
beforeAll(async () => {
  root = await startWorkspace();
});
afterAll(() => root.stop());
beforeEach(async () => {
  workspace = await newWorkspace(root);
  admin = await join(workspace, 'admin');
});

const of = (userId: string) => ({ params: { id: workspace.workspaceId, userId } });

it.each([
  ['made', 'apiKeys.create', { body: { name: 'late' } }],
  ['rotated', 'apiKeys.rotate', { body: { overlap_seconds: 0 } }],
  ['given more scopes', 'apiKeys.update', { body: { scopes: ['*'] } }],
] as const)('no key is %s by an admin who is removed meanwhile', async (_, name, { body }) => {
  const { id: keyId } = await workspace.api.call('apiKeys.create', {
    params: { id: workspace.workspaceId },
    body: { name: 'of the owner', role: 'viewer', scopes: ['events:read'] },
  });
  const other = await changing(workspace, (tx) => lockUser(tx, admin.userId));
  const sent = admin.personal.send(name, { params: { id: workspace.workspaceId, keyId }, body });
  await until('the request', other.isWaitedFor);
  await workspace.api.call('members.remove', of(admin.userId));
  await other.commit();
  expect((await sent).status).toBe(404);
});

it('no key is made by an admin who becomes a viewer meanwhile', async () => {
  const other = await changing(workspace, (tx) => lockUser(tx, admin.userId));
  const sent = admin.own.send('apiKeys.create', {
    params: { id: workspace.workspaceId },
    body: { name: 'late' },
  });
  await until('the request', other.isWaitedFor);
  await workspace.api.call('members.update', { ...of(admin.userId), body: { role: 'viewer' } });
  await other.commit();
  expect((await sent).status).toBe(403);
});

it('no link is made by an admin who is removed meanwhile', async () => {
  const { user_id: invited } = await invite(workspace, 'member');
  const removing = await changing(workspace, async (tx) => {
    await lockWorkspace(tx, workspace.workspaceId);
    await deleteMember(tx, { workspace_id: workspace.workspaceId, user_id: admin.userId });
  });
  let hasEnded = false;
  const sent = admin.personal.send('members.resendInvite', of(invited)).finally(() => (hasEnded = true));
  await until('the request', async () => hasEnded || removing.isWaitedFor());
  await removing.commit();
  expect((await sent).status).toBe(404);
});

it.each(['members.invite', 'members.resendInvite'] as const)(
  'no link is made by %s with a key that is revoked meanwhile',
  async (name) => {
    const { user_id: userId } = await invite(workspace, 'member');
    const revoking = await changing(workspace, async (tx) => {
      await lockUser(tx, admin.userId);
      await revokeAllApiKeysOf(tx, admin.userId, new Date().toISOString());
    });
    let hasEnded = false;
    const body = { email: 'accomplice@example.com' };
    const sent = admin.personal
      .send(name, {
        params: { id: workspace.workspaceId, userId },
        ...(name === 'members.invite' && { body }),
      })
      .finally(() => (hasEnded = true));
    await until('the request', async () => hasEnded || revoking.isWaitedFor());
    await revoking.commit();
    expect((await sent).status).toBe(401);
  },
);

it.each([
  ['deleted', 'workspaces.delete', {}],
  ['given another plan', 'workspaces.update', { body: { plan: 'team' } }],
] as const)('no workspace is %s by an owner who transfers it meanwhile', async (_, name, body) => {
  const id = workspace.workspaceId;
  const transferring = await changing(workspace, async (tx) => {
    await lockWorkspace(tx, id);
    await updateMember(tx, { workspace_id: id, user_id: admin.userId }, { role: 'owner' });
    await updateMember(tx, { workspace_id: id, user_id: workspace.userId }, { role: 'admin' });
  });
  const sent = workspace.api.send(name, { params: { id }, ...body });
  await until('the request', transferring.isWaitedFor);
  await transferring.commit();
  expect((await sent).status).toBe(403);
});
