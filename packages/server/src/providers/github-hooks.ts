import { type GithubApi, githubApi } from './github-api.ts';
import { readPointer } from './json-pointer.ts';
import type { Credentials, ProviderTools, Registration } from './provider.ts';

const REASONS: Readonly<Record<number, string>> = {
  401: 'GitHub refused the token',
  403: 'the token may not manage webhooks; it needs admin:repo_hook, admin:org_hook or the Webhooks permission',
  404: 'GitHub does not know the repository or organization, or the token may not manage its webhooks',
};

/** Registers the ingest URL as a webhook of the repository or organization that the credentials name. */
export async function registerGithubHook(
  credentials: Credentials,
  ingest: { url: string; secret: string },
  tools: ProviderTools,
): Promise<Registration> {
  const owner = hookOwner(credentials);
  if (owner === null) {
    return { registered: false, reason: 'the credentials name no repository and no organization' };
  }
  const api = githubApi(credentials, tools);
  const hook = {
    name: 'web',
    active: true,
    events: ['*'],
    config: { url: ingest.url, content_type: 'json', secret: ingest.secret, insecure_ssl: '0' },
  };
  const created = await api.call('POST', owner, hook);
  const id = created.status === 201 ? hookId(created.body) : null;
  if (id !== null) return { registered: true, hook: { path: `${owner}/${id}` } };
  // 422 is also the answer to a hook that is there already: it is taken over rather than refused.
  const existing = created.status === 422 ? await findHook(api, owner, ingest.url) : null;
  if (existing !== null) {
    const { name: _name, ...changes } = hook;
    const updated = await api.call('PATCH', existing, changes);
    if (updated.status === 200) return { registered: true, hook: { path: existing } };
  }
  const reason = REASONS[created.status] ?? (created.message || `GitHub's API answered ${created.status}`);
  return { registered: false, reason };
}

/** Removes a webhook that `registerGithubHook` made. Throws when GitHub did not do it. */
export async function removeGithubHook(
  credentials: Credentials,
  hook: Readonly<Record<string, string>>,
  tools: ProviderTools,
): Promise<void> {
  const { path } = hook;
  if (path === undefined) return;
  const { status, message } = await githubApi(credentials, tools).call('DELETE', path);
  // 404: somebody else has removed it.
  if (status !== 204 && status !== 404) throw new Error(`GitHub answered ${status}: ${message}`);
}

function hookOwner({ repository, organization }: Credentials): string | null {
  if (repository !== undefined) return `/repos/${repository}/hooks`;
  return organization === undefined ? null : `/orgs/${organization}/hooks`;
}

// GitHub allows 20 webhooks for each event, so that one page holds them all.
async function findHook(api: GithubApi, owner: string, url: string): Promise<string | null> {
  const { body } = await api.call('GET', `${owner}?per_page=100`);
  const hooks = Array.isArray(body) ? (body as unknown[]) : [];
  const found = hooks.find((hook) => readPointer(hook, '/config/url') === url);
  const id = hookId(found);
  return id === null ? null : `${owner}/${id}`;
}

function hookId(hook: unknown): number | null {
  const id = readPointer(hook, '/id');
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}
