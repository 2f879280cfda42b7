import { readPointer } from '../../domain/json/json-pointer.ts';
import type { LinearApi, LinearRefusal } from './api.ts';

const TEAMS = 'query ($key: String!) { teams(filter: { key: { eq: $key } }) { nodes { id } } }';

/** The ID of the team with this key, or why there is none: the API key sees no such team, or is refused. */
export async function findTeam(api: LinearApi, key: string): Promise<string | LinearRefusal> {
  const response = await api.ask(TEAMS, { key });
  if (!response.ok) return response;
  const id = readPointer(response.data, '/teams/nodes/0/id');
  return typeof id === 'string' ? id : { ok: false, why: 'request', message: `there is no team ${key}` };
}
