import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { readPointer } from '../../domain/json/json-pointer.ts';
import type { JsonResponse } from '../wire/json-api.ts';
import type { Credentials, Hook, Ingest, ProviderTools, Registration } from '../provider.ts';
import { type HookCollection, lookUpHook, removeHook, upsertHook } from '../rest-hooks.ts';
import { gitlabApi } from './api.ts';

/** The reason why GitLab does not let a token manage webhooks, by the status of its response. */
export const GITLAB_HOOK_REFUSALS: Readonly<Record<number, string>> = {
  401: 'GitLab refused the token',
  403: 'the token may not manage webhooks; it needs the scope api and the role Maintainer, or Owner for a group',
  404: 'GitLab does not know the project or group, or the token may not manage its webhooks',
};

const SIGNING_TOKEN = /^whsec_[A-Za-z\d+/]{43}=$/;

// Job events are left out, because each step of a pipeline makes one. So are confidential issues: not everybody who
// sees the events may see those.
const EVENTS = {
  push_events: true,
  tag_push_events: true,
  merge_requests_events: true,
  issues_events: true,
  note_events: true,
  pipeline_events: true,
  deployment_events: true,
  releases_events: true,
  wiki_page_events: true,
};

/** Registers the ingest URL as a webhook of the project or group that the credentials name. */
export async function registerGitlabHook(
  credentials: Credentials,
  { url, secret, hook }: Ingest,
  tools: ProviderTools,
): Promise<Registration | null> {
  const hooks = gitlabHooks(credentials, tools);
  if (hooks === null) return null;
  const signed = isSigningToken(secret, credentials);
  const proof = signed ? { signing_token: secret } : { token: secret };
  const settings = { url, ...proof, name: 'Hubline', enable_ssl_verification: true, ...EVENTS };
  const result = await upsertHook(hooks, { known: knownPath(credentials, hooks, hook), url, settings });
  if (!result.ok) return refused(result.refusal);
  const { path, created, body } = result;
  if (path === null) throw new ProviderUnavailable("GitLab's API created a webhook and did not say which");
  const { domain } = credentials;
  if (!signed || readPointer(body, '/signing_token_present') === true)
    return { registered: true, hook: { path, ...(domain === undefined ? {} : { domain }) }, created };
  // This GitLab silently ignored the signing token: all of its calls would be refused.
  if (created) await removeHook(hooks, path);
  const reason =
    'this GitLab does not sign its calls; reconnect without signing_token, with a webhook_secret';
  return { registered: false, reason };
}

/** Removes the webhook that calls the URL. Throws when GitLab did not do it. */
export async function removeGitlabHook(
  credentials: Credentials,
  { url, hook }: Pick<Ingest, 'url' | 'hook'>,
  tools: ProviderTools,
): Promise<void> {
  if (hook !== null && hook['domain'] !== credentials['domain'])
    throw new Error('the webhook is at another GitLab than these credentials');
  const hooks = gitlabHooks(credentials, tools);
  const path = hook?.['path'] ?? (hooks && (await lookUpHook(hooks, url)));
  if (path) await removeHook({ api: gitlabApi(credentials, tools), provider: 'GitLab' }, path);
}

/**
 * Reports whether a secret is a signing token. The secret decides, not the credentials: after a failed reconnect, a
 * webhook gets its old secret back, which may be of the other kind.
 */
const isSigningToken = (
  secret: string,
  { signing_token: token, webhook_secret: own }: Credentials,
): boolean => secret === token || (secret !== own && SIGNING_TOKEN.test(secret));

function refused({ status, message }: JsonResponse): Registration {
  return {
    registered: false,
    reason: GITLAB_HOOK_REFUSALS[status] ?? (message || `GitLab's API responded with ${status}`),
  };
}

/** The path of a known webhook, if it belongs to this owner and is at the server of these credentials. */
function knownPath({ domain }: Credentials, { create }: HookCollection, hook: Hook | null): string | null {
  const path = hook?.['path'];
  return path?.startsWith(`${create}/`) && hook?.['domain'] === domain ? path : null;
}

/** The webhooks of the project or group that the credentials name; `null` if they name none. */
export function gitlabHooks(credentials: Credentials, tools: ProviderTools): HookCollection | null {
  const { project, group } = credentials;
  const owner =
    project === undefined
      ? group && `/groups/${encodeURIComponent(group)}`
      : `/projects/${encodeURIComponent(project)}`;
  if (owner === undefined) return null;
  const create = `${owner}/hooks`;
  return {
    api: gitlabApi(credentials, tools),
    provider: 'GitLab',
    create,
    // GitLab allows 100 webhooks a project and 50 a group, so one page holds them all.
    list: `${create}?per_page=100`,
    pathOf(hook) {
      const id = readPointer(hook, '/id');
      return typeof id === 'number' && Number.isSafeInteger(id) ? `${create}/${id}` : null;
    },
  };
}
