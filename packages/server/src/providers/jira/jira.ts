import { readPointer } from '../../domain/json/json-pointer.ts';
import { bodyHash, randomSecret } from '../signatures/hmac.ts';
import { readJsonObject } from '../wire/json-body.ts';
import type { Credentials, IngestRequest, Provider, Received, Setup } from '../provider.ts';
import { plainText } from './adf.ts';
import { siteUrl } from './api.ts';
import { checkJiraToken } from './check.ts';
import { jiraEvent, jiraType } from './events.ts';
import { registerJiraHook, removeJiraHook } from './hooks.ts';
import { notifyJira } from './notify.ts';
import { isOwnText } from './own.ts';
import { summarizeJira } from './summary.ts';
import { jiraSecret, verifyJira } from './verify.ts';

/** Jira Cloud: the webhooks of an administrator, or those of an app. */
export const jira: Provider = {
  key: 'jira',
  name: 'Jira',
  description:
    'Issues, comments, work logs, sprints and versions of Jira Cloud; notifies by comments and tasks.',
  repeatable: false,
  // The client secret is the app's, and comes from Atlassian.
  signing: ({ client_secret: secret }) =>
    secret === undefined ? { name: 'webhook_secret', generate: randomSecret } : { name: 'client_secret' },
  checkCredentials: () => [],
  headers: () => ['x-hub-signature', 'authorization', 'x-atlassian-webhook-identifier'],
  targets: ({ domain }) =>
    domain === undefined ? [] : [{ field: 'credentials.domain', url: `${siteUrl(domain)}/` }],
  verify: verifyJira,
  receive,
  validate: checkJiraToken,
  register: registerJiraHook,
  unregister: removeJiraHook,
  notify: notifyJira,
  setUp,
};

function setUp(
  ingestUrl: string,
  { domain = 'your-site.atlassian.net', client_secret: secret }: Credentials,
): Setup {
  if (secret !== undefined) {
    return {
      steps: [
        `Let your app call POST https://api.atlassian.com/ex/jira/{cloudId}/rest/api/3/webhook with the url ${ingestUrl} and the events that you want.`,
        'Let it extend the webhooks with PUT …/rest/api/3/webhook/refresh before 30 days are over.',
      ],
    };
  }
  return {
    steps: [
      `Open ${siteUrl(domain)}/plugins/servlet/webhooks as an administrator of Jira and choose Create a WebHook.`,
      `Enter the URL ${ingestUrl} and the ingest secret as its secret.`,
      'Choose the events that you want, leave Exclude body off, and choose Create.',
    ],
  };
}

function receive({ headers, body }: IngestRequest, credentials: Credentials): Received {
  const json = readJsonObject(body);
  if (!json.ok) return { kind: 'malformed', issue: json.issue };
  if (isOwnNotification(json.value, credentials)) {
    return { kind: 'ignored', reason: 'this is a notification that was sent from here' };
  }
  const delivery = headers['x-atlassian-webhook-identifier'] ?? '';
  return {
    kind: 'event',
    type: jiraType(jiraEvent(json.value).thing),
    source: 'jira',
    payload: json.text,
    summary: summarizeJira(json.value, credentials['domain']),
    // Retries keep it.
    dedupeKey: /^[\w.:-]{1,200}$/.test(delivery) ? delivery : bodyHash(body),
  };
}

// A comment comes twice: by itself, and as a change of its issue.
const COMMENTED: ReadonlySet<unknown> = new Set(['comment_created', 'jira:issue_updated']);

function isOwnNotification(payload: unknown, credentials: Credentials): boolean {
  const event = readPointer(payload, '/webhookEvent');
  const place = COMMENTED.has(event) ? '/comment/body' : '/issue/fields/description';
  const isNew = COMMENTED.has(event) || event === 'jira:issue_created';
  return isNew && isOwnText(plainText(readPointer(payload, place)), jiraSecret(credentials));
}
