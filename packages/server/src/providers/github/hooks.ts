import { readPointer } from '../../domain/json/json-pointer.ts';
import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import type { JsonResponse, JsonApi } from '../wire/json-api.ts';
import { githubApi } from './api.ts';
import type { Credentials, Hook, Ingest, ProviderTools, Registration } from '../provider.ts';

/** The reason why GitHub does not let a token manage webhooks, by the status of its response. */
export const GITHUB_HOOK_REFUSALS: Readonly<Record<number, string>> = {
  401: 'GitHub refused the token',
  403: 'the token may not manage webhooks; it needs admin:repo_hook, admin:org_hook or the Webhooks permission',
  404: 'GitHub does not know the repository or organization, or the token may not manage its webhooks',
};

/** Registers the ingest URL as a webhook of the repository or organization that the credentials name. */
export async function registerGithubHook(
  credentials: Credentials,
  ingest: Ingest,
  tools: ProviderTools,
): Promise<Registration | null> {
  const owner = hookOwner(credentials);
  const known = knownPath(credentials, ingest.hook);
  const api = githubApi(credentials, tools);
  if (known !== null && (owner === null || known.startsWith(`${owner}/`))) {
    const changed = await change(api, known, ingest);
    if (changed.status === 200) return registered(credentials, known, false);
    if (owner === null) return refused(changed);
  }
  if (owner === null) return null;
  const created = await api.call('POST', owner, { name: 'web', ...settings(ingest) });
  if (created.status === 201) {
    const id = hookId(created.body);
    if (id === null) throw new ProviderUnavailable("GitHub's API created a webhook and did not say which");
    return registered(credentials, `${owner}/${id}`, true);
  }
  // 422 also means that the webhook exists already: it is taken over.
  const existing = created.status === 422 ? findHook(await listHooks(api, owner), owner, ingest.url) : null;
  if (existing !== null && (await change(api, existing, ingest)).status === 200) {
    return registered(credentials, existing, false);
  }
  return refused(created);
}

/** Removes the webhook that calls the URL. Throws when GitHub did not do it. */
export async function removeGithubHook(
  credentials: Credentials,
  { url, hook }: Pick<Ingest, 'url' | 'hook'>,
  tools: ProviderTools,
): Promise<void> {
  const api = githubApi(credentials, tools);
  const found = await findGithubHook(api, credentials, { url, hook });
  if (!found.ok) throw refusal(found.response);
  const { path } = found;
  if (path === null) {
    if (hook === null) return;
    throw new Error('the webhook is at another GitHub server than these credentials');
  }
  const response = await api.call('DELETE', path);
  // 404: somebody else has removed it.
  if (response.status !== 204 && response.status !== 404) throw refusal(response);
}

/** Finds the path of the webhook that is known, or of the one that calls the URL; `null` when there is none. */
export async function findGithubHook(
  api: JsonApi,
  credentials: Credentials,
  { url, hook }: Pick<Ingest, 'url' | 'hook'>,
): Promise<{ ok: true; path: string | null } | { ok: false; response: JsonResponse }> {
  if (hook !== null) return { ok: true, path: knownPath(credentials, hook) };
  const owner = hookOwner(credentials);
  if (owner === null) return { ok: true, path: null };
  const listed = await listHooks(api, owner);
  return listed.status === 200
    ? { ok: true, path: findHook(listed, owner, url) }
    : { ok: false, response: listed };
}

const refusal = ({ status, message }: JsonResponse) =>
  new Error(`GitHub responded with ${status}: ${message}`);

const settings = ({ url, secret }: Ingest) => ({
  active: true,
  events: ['*'],
  config: { url, content_type: 'json', secret, insecure_ssl: '0' },
});

const change = (api: JsonApi, path: string, ingest: Ingest) => api.call('PATCH', path, settings(ingest));

function registered({ domain }: Credentials, path: string, created: boolean): Registration {
  return { registered: true, hook: { path, ...(domain === undefined ? {} : { domain }) }, created };
}

function refused({ status, message }: JsonResponse): Registration {
  return {
    registered: false,
    reason: GITHUB_HOOK_REFUSALS[status] ?? (message || `GitHub's API responded with ${status}`),
  };
}

/** The path of a known webhook, if it is at the server of these credentials: the same path at another server is another webhook. */
function knownPath({ domain }: Credentials, hook: Hook | null): string | null {
  return hook?.['path'] !== undefined && hook['domain'] === domain ? hook['path'] : null;
}

/** The path of the webhooks of the repository or organization; `null` if the credentials name neither. */
export function hookOwner({ repository, organization }: Credentials): string | null {
  if (repository !== undefined) return `/repos/${repository}/hooks`;
  return organization === undefined ? null : `/orgs/${organization}/hooks`;
}

// GitHub allows 20 webhooks for each event, so one page holds them all.
const listHooks = (api: JsonApi, owner: string) => api.call('GET', `${owner}?per_page=100`);

function findHook({ body }: JsonResponse, owner: string, url: string): string | null {
  const hooks = Array.isArray(body) ? (body as unknown[]) : [];
  const id = hookId(hooks.find((hook) => readPointer(hook, '/config/url') === url));
  return id === null ? null : `${owner}/${id}`;
}

function hookId(hook: unknown): number | null {
  const id = readPointer(hook, '/id');
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}
