import { readPointer } from '../../domain/json/json-pointer.ts';
import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { notionApi } from './api.ts';
import type { CredentialCheck, Credentials, ProviderTools } from '../provider.ts';

/** Asks Notion whose token it is, and learns which bot comments with it. */
export async function checkNotionToken(
  credentials: Credentials,
  tools: ProviderTools,
): Promise<CredentialCheck> {
  const { status, body, message } = await notionApi(credentials, tools).call('GET', '/v1/users/me');
  const id = readPointer(body, '/id');
  if (status === 200 && typeof id === 'string') return { ok: true, credentials: { bot_id: id } };
  switch (status) {
    case 401:
      return refused('it is wrong, or was replaced; copy the Internal Integration Secret again');
    case 403:
      return refused(`${message || 'it may not be used'}; check the integration`);
    default:
      throw new ProviderUnavailable(
        `Notion's API responded with ${status} and did not say whose token it is`,
      );
  }
}

function refused(issue: string): CredentialCheck {
  return { ok: false, detail: { field: 'credentials.token', issue: `was refused by Notion: ${issue}` } };
}
