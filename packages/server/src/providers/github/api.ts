import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import type { OutboundRequest } from '../../outbound/outbound.ts';
import { type ApiAnswer, callApi, ownReason, retryAfterSeconds } from '../call-api.ts';
import { isJsonObject } from '../json-body.ts';
import type { Credentials, ProviderTools } from '../provider.ts';

const NAME = "GitHub's API";
const PUBLIC_URL = 'https://api.github.com';
// A limit of which GitHub does not say when it ends. docs.github.com: "wait for at least one minute".
const LIMIT_SECONDS = 60;

/** GitHub's REST API with one token. */
export interface GithubApi {
  /** Throws `ProviderUnavailable` when there is no answer of GitHub's own. */
  call(method: OutboundRequest['method'], path: string, body?: object): Promise<GithubAnswer>;
}

/** An answer of GitHub. */
export interface GithubAnswer extends Pick<ApiAnswer, 'status' | 'body'> {
  /** GitHub's own reason, or why it was not asked. One line, without the token. */
  message: string;
}

/** The API of github.com, of the operator's override, or of the GitHub Enterprise Server that the credentials name. */
export function githubApi(credentials: Credentials, tools: ProviderTools): GithubApi {
  const { token = '', domain } = credentials;
  // The domain is a user's word, so its address is judged; the override is the operator's.
  const trusted = domain === undefined && tools.apiUrl !== undefined;
  const base = domain === undefined ? (tools.apiUrl ?? PUBLIC_URL) : domainUrl(domain);
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'x-github-api-version': '2022-11-28',
  };
  return {
    async call(method, path, body) {
      const answer = await callApi(tools, NAME, {
        method,
        url: base.replace(/\/+$/, '') + path,
        headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
        ...(trusted ? { trusted } : {}),
      });
      if (isRateLimited(answer)) {
        const seconds = retryAfterSeconds(answer.headers, tools.clock()) ?? LIMIT_SECONDS;
        throw new ProviderUnavailable(`${NAME} limits this token: ${reason(answer.body, token)}`, seconds);
      }
      const message = answer.status === 0 ? 'blocked address' : reason(answer.body, token);
      return { status: answer.status, body: answer.body, message };
    },
  };
}

/** The API of a host that the credentials name. */
export function domainUrl(domain: string): string {
  return domain.toLowerCase() === 'github.com' ? PUBLIC_URL : `https://${domain}/api/v3`;
}

// Both of its limits come as 403, like a token that lacks a permission.
function isRateLimited({ status, headers }: ApiAnswer): boolean {
  return status === 403 && (headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0');
}

function reason(body: unknown, token: string): string {
  if (!isJsonObject(body) || typeof body['message'] !== 'string') return '';
  // `Validation Failed` says why only in its list.
  const errors = Array.isArray(body['errors']) ? (body['errors'] as unknown[]) : [];
  const details = errors.flatMap((error) =>
    isJsonObject(error) && typeof error['message'] === 'string' ? [error['message']] : [],
  );
  return ownReason([body['message'], ...details].join(': '), token);
}
