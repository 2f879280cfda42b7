import { LIMITS } from '@hubline/contract/constants';
import type { Member } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { useQuery } from '../../data/queries/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';

/** The members of the workspace, to show names for IDs; empty while they load, and if they fail to load. */
export function useMembers(): readonly Member[] {
  const { id } = useWorkspace();
  const members = useQuery(
    (signal) => client.members.list(id, { limit: LIMITS.pageMax }, { signal }).toArray(),
    ['members', id, 'all'],
  );
  return members.data ?? [];
}
