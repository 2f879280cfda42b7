import { type Permission, PERMISSIONS, type Role, roleAllows, ROLES } from '@hubline/contract/constants';
import { eachId, paged } from '../../client/lists.ts';
import { resolveMember } from '../../client/members.ts';
import { usageError } from '../../errors/errors.ts';
import { define } from '../../spec/command.ts';
import { EXPORT_FLAGS, LIST_FLAGS } from '../../spec/global-flags.ts';
import { view } from '../../spec/view.ts';
import { gone, goneView } from '../../views/gone.ts';
import { anotherLink, invitationView, memberView, updatedMemberView } from '../../views/member.ts';
import { command as importMembers } from './import.ts';
import { command as invite } from './invite.ts';

const permissionView = view<{ permission: string } & Record<Role, boolean>>()({
  noun: ['permission', 'permissions'],
  fields: ['permission', ...ROLES],
  columns: ['permission', ...ROLES],
  id: 'permission',
});

const list = define({
  path: 'member list',
  summary: 'List members and open invitations.',
  aliases: ['ls'],
  endpoints: ['members.list'],
  list: true,
  flags: LIST_FLAGS,
  examples: ['hubline member list', 'hubline member list --all --json=email,role'],
  view: memberView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return paged(ctx, flags, (query) => client.members.list(workspace, query, ctx.request));
  },
});

const resendInvite = define({
  path: 'member resend-invite',
  summary: 'Send an open invitation again, with a new link.',
  endpoints: ['members.resendInvite'],
  args: { user: { summary: 'ID or email' } },
  examples: ['hubline member resend-invite sam@acme.test'],
  view: invitationView,
  say: ({ email }, style) => `${style.green('✓')} Sent a new invitation to ${email}`,
  ifLost: ({ email }) => anotherLink(email),
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return client.members.resendInvite(
      workspace,
      await resolveMember(ctx, workspace, args.user),
      ctx.request,
    );
  },
});

const update = define({
  path: 'member update',
  summary: "Change a member's role. To hand over ownership, see: hubline workspace transfer.",
  aliases: ['set-role'],
  endpoints: ['members.update'],
  args: { user: { summary: 'ID or email' } },
  flags: {
    role: {
      type: 'text',
      value: 'role',
      choices: ROLES,
      required: true,
      prompt: 'Role',
      summary: 'New role',
    },
  },
  examples: ['hubline member update li@acme.test --role admin'],
  view: updatedMemberView,
  say: ({ email, role, user_id }, style) => `${style.green('✓')} ${email} is now ${role} (${user_id})`,
  async run(ctx, { args, flags: { role } }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    const user = await resolveMember(ctx, workspace, args.user);
    return client.members.update(workspace, user, { role }, ctx.request);
  },
});

const remove = define({
  path: 'member remove',
  summary: 'Remove members, or withdraw invitations. Access ends at once.',
  aliases: ['rm', 'delete'],
  endpoints: ['members.remove'],
  danger: 'confirm',
  question: ({ args }) => `Remove ${args.user.join(', ')} from the workspace?`,
  args: { user: { summary: 'IDs or emails; - reads them from stdin', variadic: true, ids: true } },
  examples: ['hubline member remove li@acme.test', 'hubline member remove li@acme.test sam@acme.test --yes'],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Removed ${id}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return eachId(ctx, args.user, async (reference) => {
      const user = await resolveMember(ctx, workspace, reference);
      await client.members.remove(workspace, user, ctx.request);
      return gone(user);
    });
  },
});

const permissions = define({
  path: 'member permissions',
  summary: 'Show the permissions of each role, or of one. Works offline.',
  args: { role: { summary: ROLES.join(', '), choices: ROLES, optional: true } },
  examples: ['hubline member permissions', 'hubline member permissions viewer'],
  view: permissionView,
  async *run(_ctx, { args: { role } }) {
    const asked = ROLES.find((each) => each === role);
    if (role !== undefined && !asked)
      throw usageError(`There is no role "${role}".`, `Roles: ${ROLES.join(', ')}.`);
    for (const permission of Object.keys(PERMISSIONS) as Permission[]) {
      const may = (each: Role): boolean => roleAllows(each, permission);
      if (asked && !may(asked)) continue;
      const cells = Object.fromEntries(ROLES.map((each) => [each, may(each)])) as Record<Role, boolean>;
      yield { permission, ...cells };
    }
  },
});

const exportMembers = define({
  path: 'member export',
  summary: 'Export the members as CSV, JSON or one JSON document per line. member import reads all three.',
  endpoints: ['members.list'],
  export: 'csv',
  flags: EXPORT_FLAGS,
  examples: ['hubline member export --out people.csv', 'hubline member export --format ndjson'],
  view: memberView,
  async run(ctx) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return paged(ctx, { limit: 0, all: true }, (query) => client.members.list(workspace, query, ctx.request));
  },
});

export const commands = [
  list,
  invite,
  update,
  remove,
  resendInvite,
  permissions,
  importMembers,
  exportMembers,
] as const;
