import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { githubApi } from './api.ts';
import { isJsonObject } from '../wire/json-body.ts';
import type { CredentialCheck, Credentials, ProviderTools } from '../provider.ts';

/** Asks GitHub whose token it is. */
export async function checkGithubToken(
  credentials: Credentials,
  tools: ProviderTools,
): Promise<CredentialCheck> {
  // The installation of a GitHub App is not a user: it may list its repositories, but not ask for a user.
  const isInstallation = credentials['token']?.startsWith('ghs_') ?? false;
  const path = isInstallation ? '/installation/repositories?per_page=1' : '/user';
  const { status, body, message } = await githubApi(credentials, tools).call('GET', path);
  if (status === 200 && isJsonObject(body)) return { ok: true };
  const because = message ? `: ${message}` : '';
  switch (status) {
    case 401:
      return refused('token', 'was refused by GitHub: it is wrong, expired or revoked; create a new one');
    case 403:
      return refused('token', `was refused by GitHub${because}; check its scopes and its approval`);
    case 404:
      return credentials['domain'] === undefined
        ? refused('token', `is unknown to GitHub's API${because}; check it`)
        : refused(
            'domain',
            "must name a GitHub Enterprise Server: the server there does not respond like GitHub's API",
          );
    case 0:
      return refused('domain', 'must point to a public address');
    default:
      throw new ProviderUnavailable(
        `GitHub's API responded with ${status} and did not say whose token it is`,
      );
  }
}

function refused(name: string, issue: string): CredentialCheck {
  return { ok: false, detail: { field: `credentials.${name}`, issue } };
}
