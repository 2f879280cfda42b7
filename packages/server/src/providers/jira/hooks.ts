import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { readPointer } from '../../domain/json/json-pointer.ts';
import type { JsonResponse } from '../wire/json-api.ts';
import type { Credentials, Hook, Ingest, ProviderTools, Registration } from '../provider.ts';
import { type HookCollection, lookUpHook, removeHook, upsertHook } from '../rest-hooks.ts';
import { jiraApi } from './api.ts';
import { registerAppHook, removeAppHook, SPRINT_AND_VERSION_EVENTS } from './app-hooks.ts';

const PATH = '/rest/webhooks/1.0/webhook';

const REASONS: Readonly<Record<number, string>> = {
  401: 'Jira refused the API token',
  403: 'the account may not manage webhooks; it needs the permission Administer Jira',
};

const ISSUE_EVENTS = [
  'jira:issue_created',
  'jira:issue_updated',
  'jira:issue_deleted',
  'comment_created',
  'comment_updated',
  'comment_deleted',
  'worklog_created',
  'worklog_updated',
  'worklog_deleted',
  'attachment_created',
  'attachment_deleted',
  'issuelink_created',
  'issuelink_deleted',
];

// No filter applies to these events: they come for the whole site, or not at all.
const SITE_EVENTS = [...SPRINT_AND_VERSION_EVENTS, 'project_created', 'project_updated', 'project_deleted'];

/** Registers the ingest URL as a webhook of the site, which only its administrators may do. */
export async function registerJiraHook(
  credentials: Credentials,
  ingest: Ingest,
  tools: ProviderTools,
): Promise<Registration | null> {
  const { url, secret, hook } = ingest;
  const { client_secret: clientSecret, project, domain = '' } = credentials;
  if (credentials['token'] !== undefined) return registerAppHook(credentials, ingest, tools);
  if (clientSecret !== undefined) return leaveToApp(hook);
  const settings = {
    name: 'Hubline',
    url,
    secret,
    enabled: true,
    excludeBody: false,
    events: project === undefined ? [...ISSUE_EVENTS, ...SITE_EVENTS] : ISSUE_EVENTS,
    filters: { 'issue-related-events-section': project === undefined ? '' : `project = "${project}"` },
  };
  const known = hook?.['domain'] === domain ? (hook['path'] ?? null) : null;
  const result = await upsertHook(jiraHooks(credentials, tools), { known, url, settings });
  if (!result.ok) return refused(result.refusal);
  const { path, created } = result;
  if (path === null) throw new ProviderUnavailable("Jira's API created a webhook and did not say which");
  return { registered: true, hook: { path, domain }, created };
}

/** Leaves the webhooks of an app to the app, which registers them with its own token. */
function leaveToApp(hook: Hook | null): Registration | null {
  if (hook === null) return null;
  const reason = 'an app registers its own webhooks; remove the one that was registered before';
  return { registered: false, reason };
}

/** Removes the webhook that calls the URL. Throws when Jira did not do it. */
export async function removeJiraHook(
  credentials: Credentials,
  ingest: Pick<Ingest, 'url' | 'hook'>,
  tools: ProviderTools,
): Promise<void> {
  const { url, hook } = ingest;
  const isOfApp = hook === null ? credentials['token'] !== undefined : hook['cloud_id'] !== undefined;
  if (isOfApp) return removeAppHook(credentials, ingest, tools);
  if (hook !== null && hook['domain'] !== credentials['domain'])
    throw new Error('the webhook is at another Jira site than these credentials');
  if (hook === null && credentials['client_secret'] !== undefined) return;
  const hooks = jiraHooks(credentials, tools);
  const path = hook?.['path'] ?? (await lookUpHook(hooks, url));
  if (path !== null) await removeHook(hooks, path);
}

function refused({ status, message }: JsonResponse): Registration {
  return { registered: false, reason: REASONS[status] ?? (message || `Jira's API responded with ${status}`) };
}

const jiraHooks = (credentials: Credentials, tools: ProviderTools): HookCollection => ({
  api: jiraApi(credentials, tools),
  provider: 'Jira',
  create: PATH,
  list: PATH,
  // A webhook is identified by its URL: `https://acme.atlassian.net/rest/webhooks/1.0/webhook/72`.
  pathOf(hook) {
    const self = readPointer(hook, '/self');
    const id = typeof self === 'string' ? /\/webhook\/(\d{1,18})$/.exec(self)?.[1] : undefined;
    return id === undefined ? null : `${PATH}/${id}`;
  },
});
