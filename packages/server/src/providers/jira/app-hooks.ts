import { readPointer } from '../../domain/json/json-pointer.ts';
import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import type { JsonResponse, JsonApi } from '../wire/json-api.ts';
import type { Credentials, Ingest, ProviderTools, Registration } from '../provider.ts';
import { jiraApi } from './api.ts';

const PATH = '/rest/api/3/webhook';
// developer.atlassian.com, "Webhooks": they expire after 30 days. Ten days are left in case the server is down.
const RENEW_AFTER_MS = 20 * 24 * 60 * 60_000;

/** Events that are not about an issue. Both kinds of webhooks may send them. */
export const SPRINT_AND_VERSION_EVENTS = [
  'sprint_created',
  'sprint_updated',
  'sprint_started',
  'sprint_closed',
  'sprint_deleted',
  'jira:version_created',
  'jira:version_updated',
  'jira:version_released',
  'jira:version_unreleased',
  'jira:version_deleted',
];

// All events that the webhooks of an app may send, except those about properties.
const EVENTS = [
  'jira:issue_created',
  'jira:issue_updated',
  'jira:issue_deleted',
  'comment_created',
  'comment_updated',
  'comment_deleted',
  ...SPRINT_AND_VERSION_EVENTS,
];

/** Registers the ingest URL as a webhook of the app, or renews the one that is there. */
export async function registerAppHook(
  credentials: Credentials,
  { url, hook }: Ingest,
  tools: ProviderTools,
): Promise<Registration> {
  const api = jiraApi(credentials, tools);
  const { project, cloud_id: cloudId = '' } = credentials;
  // Jira refuses an empty filter, and most operators. This one matches every issue.
  const filter = project === undefined ? 'project != null' : `project = "${project}"`;
  const there = await listHooks(api, url);
  if (!there.ok) return refused(there.refusal);
  const known = hook?.['filter'] === filter ? Number(hook['id']) : Number.NaN;
  const registered = (id: number, created: boolean): Registration => ({
    registered: true,
    hook: { id: String(id), cloud_id: cloudId, filter },
    created,
    renewAt: new Date(tools.clock().getTime() + RENEW_AFTER_MS),
  });
  if (there.ids.includes(known)) {
    const renewed = await api.call('PUT', `${PATH}/refresh`, { webhookIds: [known] });
    return renewed.status === 200 ? registered(known, false) : refused(renewed);
  }
  // These have another filter, or are from a registration that was not stored: either would send everything twice.
  if (there.ids.length > 0) await deleteHooks(api, there.ids);
  const created = await api.call('POST', PATH, { url, webhooks: [{ jqlFilter: filter, events: EVENTS }] });
  if (created.status !== 200) return refused(created);
  // Jira may refuse with status 200.
  const errors = readPointer(created.body, '/webhookRegistrationResult/0/errors');
  if (Array.isArray(errors) && errors.length > 0) return { registered: false, reason: errors.join('; ') };
  const id = readPointer(created.body, '/webhookRegistrationResult/0/createdWebhookId');
  if (typeof id !== 'number')
    throw new ProviderUnavailable("Jira's API created a webhook and did not say which");
  return registered(id, true);
}

/** Removes the webhooks of the app that call the URL. Throws when Jira did not do it. */
export async function removeAppHook(
  credentials: Credentials,
  { url, hook }: Pick<Ingest, 'url' | 'hook'>,
  tools: ProviderTools,
): Promise<void> {
  if (hook !== null && hook['cloud_id'] !== credentials['cloud_id'])
    throw new Error('the webhook is at another Jira site than these credentials');
  const api = jiraApi(credentials, tools);
  const there = await listHooks(api, url);
  if (!there.ok) throw new Error(`Jira responded with ${there.refusal.status}: ${there.refusal.message}`);
  if (there.ids.length > 0) await deleteHooks(api, there.ids);
}

type Listed = { ok: true; ids: number[] } | { ok: false; refusal: JsonResponse };

/** The webhooks of the app that call the URL. An app has a handful of them at a site. */
async function listHooks(api: JsonApi, url: string): Promise<Listed> {
  const response = await api.call('GET', `${PATH}?maxResults=100`);
  const values = readPointer(response.body, '/values');
  if (response.status !== 200 || !Array.isArray(values)) return { ok: false, refusal: response };
  const ids = (values as unknown[])
    .filter((hook) => readPointer(hook, '/url') === url)
    .map((hook) => readPointer(hook, '/id'));
  return { ok: true, ids: ids.filter((id) => typeof id === 'number') };
}

async function deleteHooks(api: JsonApi, webhookIds: readonly number[]): Promise<void> {
  const { status, message } = await api.call('DELETE', PATH, { webhookIds });
  if (status !== 202 && status !== 404) throw new Error(`Jira responded with ${status}: ${message}`);
}

const REASONS: Readonly<Record<number, string>> = {
  401: 'Jira refused the token of the app, or the app has no scope manage:jira-webhook',
  403: 'the app may not manage webhooks; it needs the scope manage:jira-webhook',
};

const refused = ({ status, message }: JsonResponse): Registration => ({
  registered: false,
  reason: REASONS[status] ?? (message || `Jira's API responded with ${status}`),
});
