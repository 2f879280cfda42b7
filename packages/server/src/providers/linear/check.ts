import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { readPointer } from '../../domain/json/json-pointer.ts';
import { isJsonObject } from '../wire/json-body.ts';
import type { CredentialCheck, Credentials, ProviderTools } from '../provider.ts';
import { linearApi, type LinearRefusal } from './api.ts';
import { findTeam } from './team.ts';

/** Asks Linear whose key it is, and whether it sees the team. */
export async function checkLinearKey(
  credentials: Credentials,
  tools: ProviderTools,
): Promise<CredentialCheck> {
  const api = linearApi(credentials, tools);
  const response = await api.ask('query { viewer { id name } organization { id urlKey } }');
  if (!response.ok) return keyRefused(credentials, response);
  if (!isJsonObject(readPointer(response.data, '/viewer')))
    throw new ProviderUnavailable("Linear's API did not say whose key it is");
  const { team } = credentials;
  if (team === undefined) return { ok: true };
  const found = await findTeam(api, team);
  if (typeof found === 'string') return { ok: true };
  return found.why === 'request'
    ? refused('team', 'is not the key of a team that the API key sees')
    : keyRefused(credentials, found);
}

function keyRefused({ token }: Credentials, { why, message }: LinearRefusal): CredentialCheck {
  const because =
    why === 'credentials' ? 'it is wrong or revoked; create a new one' : `${message}; check its permissions`;
  return refused(token === undefined ? 'api_key' : 'token', `was refused by Linear: ${because}`);
}

function refused(name: string, issue: string): CredentialCheck {
  return { ok: false, detail: { field: `credentials.${name}`, issue } };
}
