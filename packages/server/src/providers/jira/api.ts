import { type JsonApi, jsonApi } from '../wire/json-api.ts';
import { isJsonObject } from '../wire/json-body.ts';
import type { Credentials, ProviderTools } from '../provider.ts';

/** The API of the Jira site that the credentials name, or of the operator's override. */
export function jiraApi(credentials: Credentials, tools: ProviderTools): JsonApi {
  const { email = '', api_key: key = '', domain = '', token, cloud_id: cloudId = '' } = credentials;
  const access =
    token === undefined
      ? {
          base: tools.apiUrl ?? siteUrl(domain),
          authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`,
        }
      : { base: `${atlassianUrl(tools)}/ex/jira/${cloudId}`, authorization: `Bearer ${token}` };
  return jsonApi(tools, {
    name: "Jira's API",
    base: access.base,
    // The domain comes from a user, so its address is checked; the override comes from the operator.
    trusted: tools.apiUrl !== undefined,
    headers: { accept: 'application/json', authorization: access.authorization },
    credential: token ?? key,
    reason,
    isRefusal,
  });
}

/** The URL of the API that all sites share, for the tokens of apps. */
export const atlassianUrl = ({
  apiUrl = 'https://api.atlassian.com',
}: Pick<ProviderTools, 'apiUrl'>): string => apiUrl.replace(/\/+$/, '');

/** The address of a site. */
export const siteUrl = (domain: string): string => `https://${domain}`;

// Jira refuses unknown users in plain text, and Atlassian responds with 404 and a page for sites that do not exist.
const isRefusal = (status: number, text: string): boolean =>
  status === 404 || ((status === 401 || status === 403) && !/^\s*</.test(text));

// `{errorMessages: ["…"], errors: {field: "…"}}`, `{message: "…"}`, or plain text.
function reason(body: unknown): string {
  if (typeof body === 'string') return /^\s*</.test(body) ? '' : body;
  if (!isJsonObject(body)) return '';
  const { errorMessages, errors, message } = body;
  const texts = [
    ...(Array.isArray(errorMessages) ? (errorMessages as unknown[]) : []),
    ...Object.entries(isJsonObject(errors) ? errors : {}).map(
      ([field, issue]) => `${field}: ${String(issue)}`,
    ),
    message,
  ];
  return texts.filter((text) => typeof text === 'string' && text !== '').join('; ');
}
