import { oneLine } from '../domain/summary.ts';
import type { OutboundRequest } from '../outbound/outbound.ts';
import { isJsonObject, parseJson } from './json-body.ts';
import type { Credentials, ProviderTools } from './provider.ts';

/** GitHub's REST API with one token. */
export interface GithubApi {
  /** Never throws: without an HTTP answer, `status` is 0. */
  call(method: OutboundRequest['method'], path: string, body?: object): Promise<GithubAnswer>;
}

/** What GitHub answered. */
export interface GithubAnswer {
  status: number;
  /** The JSON value; `null` when it is none. */
  body: unknown;
  /** GitHub's own reason, or why there was no answer. One line, without the token. */
  message: string;
}

/** The API of github.com, of the operator's override, or of the GitHub Enterprise Server that the credentials name. */
export function githubApi(credentials: Credentials, { outbound, apiUrl }: ProviderTools): GithubApi {
  const { token = '', domain } = credentials;
  // The domain is a user's word, so its address is judged; the override is the operator's.
  const trusted = domain === undefined && apiUrl !== undefined;
  const base = baseUrl(domain) ?? apiUrl ?? 'https://api.github.com';
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'x-github-api-version': '2022-11-28',
  };
  return {
    async call(method, path, body) {
      try {
        const answer = await outbound({
          method,
          url: base.replace(/\/+$/, '') + path,
          headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
          ...(body ? { body: JSON.stringify(body) } : {}),
          ...(trusted ? { trusted } : {}),
        });
        const json = parseJson(answer.body);
        const value = json.ok ? json.value : null;
        return { status: answer.status, body: value, message: reason(value, token) };
      } catch (error) {
        return { status: 0, body: null, message: error instanceof Error ? error.message : 'no answer' };
      }
    },
  };
}

function baseUrl(domain: string | undefined): string | undefined {
  if (domain === undefined) return undefined;
  return domain.toLowerCase() === 'github.com' ? 'https://api.github.com' : `https://${domain}/api/v3`;
}

function reason(body: unknown, token: string): string {
  if (!isJsonObject(body) || typeof body['message'] !== 'string') return '';
  // `Validation Failed` says why only in its list.
  const errors = Array.isArray(body['errors']) ? (body['errors'] as unknown[]) : [];
  const details = errors.flatMap((error) =>
    isJsonObject(error) && typeof error['message'] === 'string' ? [error['message']] : [],
  );
  const text = [body['message'], ...details].join(': ');
  return oneLine(token ? text.replaceAll(token, '[token]') : text).replace(/\.$/, '');
}
