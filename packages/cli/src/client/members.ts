import { LIMITS, storedEmail } from '@hubline/contract/constants';
import type { Member } from '@hubline/contract/types';
import type { Context } from '../context.ts';
import { CommandError } from '../errors/errors.ts';

/** The ID of a member who is named by ID or by email address. */
export async function resolveMember(ctx: Context, workspace: string, reference: string): Promise<string> {
  if (!reference.includes('@')) return reference;
  const email = storedEmail(reference);
  const client = await ctx.client();
  for await (const member of client.members.list(
    workspace,
    { limit: LIMITS.pageMax },
    { signal: ctx.signal },
  )) {
    if (member.email === email) return member.user_id;
  }
  throw new CommandError(
    'not_found',
    `${reference} is not a member of the workspace.`,
    'See: hubline member list',
  );
}

/** All members of a workspace, open invitations included. */
export async function allMembers({ client, signal }: Context, workspace: string): Promise<Member[]> {
  const { members } = await client();
  const all: Member[] = [];
  for await (const member of members.list(workspace, { limit: LIMITS.pageMax }, { signal })) all.push(member);
  return all;
}
