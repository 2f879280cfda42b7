import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { type ApiResponse, retryAfterSeconds } from '../wire/call-api.ts';
import { isJsonObject } from '../wire/json-body.ts';
import { type JsonApi, jsonApi } from '../wire/json-api.ts';
import type { Credentials, ProviderTools } from '../provider.ts';

const NAME = "GitHub's API";
const PUBLIC_URL = 'https://api.github.com';
// The wait when GitHub does not say when its limit ends. docs.github.com: "wait for at least one minute".
const LIMIT_SECONDS = 60;

/** The API of github.com, of the operator's override, or of the GitHub Enterprise Server that the credentials name. */
export function githubApi(credentials: Credentials, tools: ProviderTools): JsonApi {
  const { token = '', domain } = credentials;
  const api = jsonApi(tools, {
    name: NAME,
    base: domain === undefined ? (tools.apiUrl ?? PUBLIC_URL) : domainUrl(domain),
    // The domain comes from a user, so its address is checked; the override comes from the operator.
    trusted: domain === undefined && tools.apiUrl !== undefined,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'x-github-api-version': '2022-11-28',
    },
    credential: token,
    reason,
  });
  return {
    async call(method, path, body) {
      const response = await api.call(method, path, body);
      if (!isRateLimited(response)) return response;
      const seconds = retryAfterSeconds(response.headers, tools.clock()) ?? LIMIT_SECONDS;
      throw new ProviderUnavailable(`${NAME} limits this token: ${response.message}`, seconds);
    },
  };
}

/** The URL of the API at a host that the credentials name. */
export function domainUrl(domain: string): string {
  return domain.toLowerCase() === 'github.com' ? PUBLIC_URL : `https://${domain}/api/v3`;
}

// Both of GitHub's rate limits come as 403, as does a token that lacks a permission.
function isRateLimited({ status, headers }: ApiResponse): boolean {
  return status === 403 && (headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0');
}

function reason(body: unknown): string {
  if (!isJsonObject(body) || typeof body['message'] !== 'string') return '';
  // `Validation Failed` gives its reasons only in `errors`.
  const errors = Array.isArray(body['errors']) ? (body['errors'] as unknown[]) : [];
  const details = errors.flatMap((error) =>
    isJsonObject(error) && typeof error['message'] === 'string' ? [error['message']] : [],
  );
  return [body['message'], ...details].join(': ');
}
