import { LIMITS } from '@hubline/contract/constants';
import type { Member } from '@hubline/contract/types';
import type { Context } from '../context.ts';

/** All members of a workspace, open invitations included. */
export async function allMembers({ client, signal }: Context, workspace: string): Promise<Member[]> {
  const { members } = await client();
  const all: Member[] = [];
  for await (const member of members.list(workspace, { limit: LIMITS.pageMax }, { signal })) all.push(member);
  return all;
}
