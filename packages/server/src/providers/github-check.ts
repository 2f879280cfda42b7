import { githubApi, type GithubAnswer } from './github-api.ts';
import { isJsonObject } from './json-body.ts';
import type { CredentialCheck, Credentials, ProviderTools } from './provider.ts';

/** Asks GitHub who the token is. */
export async function checkGithubToken(
  credentials: Credentials,
  tools: ProviderTools,
): Promise<CredentialCheck> {
  // A GitHub App's installation is nobody: it may list its repositories, and not ask for its user.
  const isInstallation = credentials['token']?.startsWith('ghs_') ?? false;
  const path = isInstallation ? '/installation/repositories?per_page=1' : '/user';
  const answer = await githubApi(credentials, tools).call('GET', path);
  if (answer.status === 200 && isJsonObject(answer.body)) return { ok: true };
  return { ok: false, detail: explain(answer, credentials['domain']) };
}

function explain(
  { status, message }: GithubAnswer,
  domain: string | undefined,
): { field: string; issue: string } {
  const because = message ? `: ${message}` : '';
  const token = (issue: string) => ({ field: 'credentials.token', issue });
  if (status === 401)
    return token('was refused by GitHub: it is wrong, expired or revoked; create a new one');
  if (status === 403)
    return token(`was refused by GitHub${because}; check its scopes, its approval and its rate limit`);
  // From here on the token may be right: it could not be asked about.
  const field = domain === undefined ? 'credentials.token' : 'credentials.domain';
  if (status === 0)
    return { field, issue: `could not be checked, because GitHub's API gave no answer${because}` };
  if (status >= 500)
    return { field, issue: `could not be checked, because GitHub's API answered ${status}; try again` };
  return {
    field,
    issue: `could not be checked: what answered ${status} is not GitHub's API; check the ${domain === undefined ? 'base URL of this server' : 'domain'}`,
  };
}
