import { LIMITS } from '@hubline/contract/constants';
import type { Member } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { useQuery } from '../../data/queries/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';

/** More than this is not a list to choose from. */
const MOST = 500;

/** The members of the workspace; none while they load, and where they do not: they only put names to ids. */
export function useMembers(): readonly Member[] {
  const { id } = useWorkspace();
  const members = useQuery(
    (signal) => client.members.list(id, { limit: LIMITS.pageMax }, { signal }).toArray({ limit: MOST }),
    ['members', id, 'all'],
  );
  return members.data ?? [];
}
