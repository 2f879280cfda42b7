import { type JsonApi, jsonApi } from '../wire/json-api.ts';
import { isJsonObject } from '../wire/json-body.ts';
import type { Credentials, ProviderTools } from '../provider.ts';

/** The API of gitlab.com, of the operator's override, or of the self-managed GitLab that the credentials name. */
export function gitlabApi({ token = '', domain, auth }: Credentials, tools: ProviderTools): JsonApi {
  return jsonApi(tools, {
    name: "GitLab's API",
    base: domain === undefined ? (tools.apiUrl ?? domainUrl('gitlab.com')) : domainUrl(domain),
    // The domain comes from a user, so its address is checked; the override comes from the operator.
    trusted: domain === undefined && tools.apiUrl !== undefined,
    headers: auth === 'oauth' ? { authorization: `Bearer ${token}` } : { 'private-token': token },
    credential: token,
    reason,
  });
}

/** The URL of the API at a host. */
export const domainUrl = (domain: string): string => `https://${domain}/api/v4`;

// `{message: "404 Project Not Found"}`, `{message: {base: ["…"]}}` or `{error: "insufficient_scope", error_description: "…"}`.
function reason(body: unknown): string {
  if (!isJsonObject(body)) return '';
  const { message, error, error_description: description } = body;
  if (typeof message === 'string') return message.replace(/^\d{3} /, '');
  if (isJsonObject(message)) {
    return Object.entries(message)
      .map(([field, issues]) => `${field}: ${Array.isArray(issues) ? issues.join(', ') : String(issues)}`)
      .join('; ');
  }
  return [description, error].find((text) => typeof text === 'string') ?? '';
}
