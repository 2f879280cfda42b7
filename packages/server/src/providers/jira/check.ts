import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { isJsonObject } from '../wire/json-body.ts';
import type { CredentialCheck, Credentials, ProviderTools } from '../provider.ts';
import { jiraApi } from './api.ts';

/** Asks Jira whose token it is. */
export async function checkJiraToken(
  credentials: Credentials,
  tools: ProviderTools,
): Promise<CredentialCheck> {
  const { status, body, message } = await jiraApi(credentials, tools).call('GET', '/rest/api/3/myself');
  if (status === 200 && isJsonObject(body)) return { ok: true };
  switch (status) {
    case 401:
      return credentials['token'] === undefined
        ? refused(
            'api_key',
            'was refused by Jira: it is wrong or revoked, or belongs to another email address',
          )
        : refused('token', 'was refused by Jira: it was revoked, or may not see this site');
    case 403:
      return refused(
        credentials['token'] === undefined ? 'api_key' : 'token',
        `was refused by Jira${message && `: ${message}`}; the account may not use this site`,
      );
    case 404:
      return refused(
        'domain',
        'must name a Jira site, such as acme.atlassian.net: there is no site at this domain',
      );
    case 0:
      return refused('domain', 'must point to a public address');
    default:
      throw new ProviderUnavailable(`Jira's API responded with ${status} and did not say whose token it is`);
  }
}

function refused(name: string, issue: string): CredentialCheck {
  return { ok: false, detail: { field: `credentials.${name}`, issue } };
}
