import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { isJsonObject } from '../wire/json-body.ts';
import type { CredentialCheck, Credentials, ProviderTools } from '../provider.ts';
import { gitlabApi } from './api.ts';

/** Asks GitLab whose token it is. Tokens of groups and projects belong to users of their own. */
export async function checkGitlabToken(
  credentials: Credentials,
  tools: ProviderTools,
): Promise<CredentialCheck> {
  const { status, body, message } = await gitlabApi(credentials, tools).call('GET', '/user');
  if (status === 200 && isJsonObject(body)) return { ok: true };
  const because = message ? `: ${message}` : '';
  switch (status) {
    case 401:
      return refused('token', 'was refused by GitLab: it is wrong, expired or revoked; create a new one');
    case 403:
      return refused('token', `was refused by GitLab${because}; it needs the scope api`);
    case 404:
      return credentials['domain'] === undefined
        ? refused('token', `is unknown to GitLab's API${because}; check it`)
        : refused('domain', "must name a GitLab server: the server there does not respond like GitLab's API");
    case 0:
      return refused('domain', 'must point to a public address');
    default:
      throw new ProviderUnavailable(
        `GitLab's API responded with ${status} and did not say whose token it is`,
      );
  }
}

function refused(name: string, issue: string): CredentialCheck {
  return { ok: false, detail: { field: `credentials.${name}`, issue } };
}
