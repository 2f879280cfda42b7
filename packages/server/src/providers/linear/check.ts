import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { readPointer } from '../../domain/json/json-pointer.ts';
import { isJsonObject } from '../wire/json-body.ts';
import type { CredentialCheck, Credentials, ProviderTools } from '../provider.ts';
import { linearApi } from './api.ts';
import { findTeam } from './team.ts';

/** Asks Linear whose the key is, and whether it sees the team. */
export async function checkLinearKey(
  credentials: Credentials,
  tools: ProviderTools,
): Promise<CredentialCheck> {
  const api = linearApi(credentials, tools);
  const answer = await api.ask('query { viewer { id name } organization { id urlKey } }');
  if (!answer.ok) {
    const because =
      answer.why === 'credentials'
        ? 'it is wrong or revoked; create a new one'
        : `${answer.message}; check its permissions`;
    return refused('api_key', `was refused by Linear: ${because}`);
  }
  if (!isJsonObject(readPointer(answer.data, '/viewer')))
    throw new ProviderUnavailable("Linear's API did not say whose the key is");
  const { team } = credentials;
  if (team === undefined || (await findTeam(api, team)) !== null) return { ok: true };
  return refused('team', 'is not the key of a team that the API key sees');
}

function refused(name: string, issue: string): CredentialCheck {
  return { ok: false, detail: { field: `credentials.${name}`, issue } };
}
