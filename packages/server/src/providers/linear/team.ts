import { readPointer } from '../../domain/json/json-pointer.ts';
import type { LinearApi } from './api.ts';

const TEAMS = 'query ($key: String!) { teams(filter: { key: { eq: $key } }) { nodes { id } } }';

/** The id of the team with this key; `null` when the API key sees none. */
export async function findTeam(api: LinearApi, key: string): Promise<string | null> {
  const answer = await api.ask(TEAMS, { key });
  const id = answer.ok ? readPointer(answer.data, '/teams/nodes/0/id') : null;
  return typeof id === 'string' ? id : null;
}
