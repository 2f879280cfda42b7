import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { readPointer } from '../../domain/json/json-pointer.ts';
import type { JsonAnswer, JsonApi } from '../json-api.ts';
import type { Credentials, Hook, Ingest, ProviderTools, Registration } from '../provider.ts';
import { gitlabApi } from './api.ts';

const REASONS: Readonly<Record<number, string>> = {
  401: 'GitLab refused the token',
  403: 'the token may not manage webhooks; it needs the scope api and the role Maintainer, or Owner for a group',
  404: 'GitLab does not know the project or group, or the token may not manage its webhooks',
};

// Jobs make an event for each step of a pipeline, and confidential issues are not for everybody who sees the events.
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
  ingest: Ingest,
  tools: ProviderTools,
): Promise<Registration | null> {
  const owner = hookOwner(credentials);
  if (owner === null) return null;
  const api = gitlabApi(credentials, tools);
  const settings = settingsOf(credentials, ingest);
  // GitLab makes a second webhook for the same URL without a word.
  const known = knownPath(credentials, owner, ingest.hook);
  if (known !== null) {
    const changed = await api.call('PUT', known, settings);
    if (changed.status === 200)
      return confirm(api, credentials, { answer: changed, path: known, created: false });
    if (changed.status !== 404) return refused(changed);
  }
  const listed = await listHooks(api, owner);
  if (listed.status !== 200) return refused(listed);
  const there = findHook(listed, owner, ingest.url);
  const answer =
    there === null ? await api.call('POST', owner, settings) : await api.call('PUT', there, settings);
  if (answer.status !== 201 && answer.status !== 200) return refused(answer);
  const path = there ?? hookPath(answer.body, owner);
  if (path === null) throw new ProviderUnavailable("GitLab's API created a webhook and did not say which");
  return confirm(api, credentials, { answer, path, created: there === null });
}

/** Removes the webhook that calls the URL. Throws when GitLab did not do it. */
export async function removeGitlabHook(
  credentials: Credentials,
  { url, hook }: Pick<Ingest, 'url' | 'hook'>,
  tools: ProviderTools,
): Promise<void> {
  const api = gitlabApi(credentials, tools);
  if (hook !== null && hook['domain'] !== credentials['domain'])
    throw new Error('the webhook is at another GitLab than these credentials');
  const path = hook?.['path'] ?? (await lookUp(api, credentials, url));
  if (path === null) return;
  const answer = await api.call('DELETE', path);
  // 404: somebody else has removed it.
  if (answer.status !== 204 && answer.status !== 404) throw refusal(answer);
}

/** Finds the webhook that calls the URL; `null` when there is none. */
async function lookUp(api: JsonApi, credentials: Credentials, url: string): Promise<string | null> {
  const owner = hookOwner(credentials);
  if (owner === null) return null;
  const listed = await listHooks(api, owner);
  if (listed.status !== 200) throw refusal(listed);
  return findHook(listed, owner, url);
}

const refusal = ({ status, message }: JsonAnswer) => new Error(`GitLab answered ${status}: ${message}`);

function settingsOf({ signing_token: signingToken }: Credentials, { url, secret }: Ingest): object {
  const proof = signingToken === undefined ? { token: secret } : { signing_token: secret };
  return { url, ...proof, name: 'Hubline', enable_ssl_verification: true, ...EVENTS };
}

interface Placed {
  answer: JsonAnswer;
  path: string;
  created: boolean;
}

/** A registration, unless this GitLab is too old to sign: it ignores the signing token without a word. */
async function confirm(
  api: JsonApi,
  { signing_token: signingToken, domain }: Credentials,
  { answer, path, created }: Placed,
): Promise<Registration> {
  if (signingToken === undefined || readPointer(answer.body, '/signing_token_present') === true)
    return { registered: true, hook: { path, ...(domain === undefined ? {} : { domain }) }, created };
  // All of its calls would be refused.
  if (created) await api.call('DELETE', path);
  const reason =
    'this GitLab does not sign its calls; reconnect without signing_token, with a webhook_secret';
  return { registered: false, reason };
}

function refused({ status, message }: JsonAnswer): Registration {
  return {
    registered: false,
    reason: REASONS[status] ?? (message || `GitLab's API answered ${status}`),
  };
}

/** The path of a known webhook, if it is of this owner and at the server of these credentials. */
function knownPath({ domain }: Credentials, owner: string, hook: Hook | null): string | null {
  const path = hook?.['path'];
  return path?.startsWith(`${owner}/`) && hook?.['domain'] === domain ? path : null;
}

function hookOwner({ project, group }: Credentials): string | null {
  if (project !== undefined) return `/projects/${encodeURIComponent(project)}/hooks`;
  return group === undefined ? null : `/groups/${encodeURIComponent(group)}/hooks`;
}

// GitLab allows 100 webhooks a project and 50 a group, so that one page holds them all.
const listHooks = (api: JsonApi, owner: string) => api.call('GET', `${owner}?per_page=100`);

function findHook({ body }: JsonAnswer, owner: string, url: string): string | null {
  const hooks = Array.isArray(body) ? (body as unknown[]) : [];
  const hook = hooks.find((each) => readPointer(each, '/url') === url);
  return hookPath(hook, owner);
}

function hookPath(hook: unknown, owner: string): string | null {
  const id = readPointer(hook, '/id');
  return typeof id === 'number' && Number.isSafeInteger(id) ? `${owner}/${id}` : null;
}
