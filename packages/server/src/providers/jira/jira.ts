import { randomSecret } from '../signatures/hmac.ts';
import type { Credentials, Provider, Setup } from '../provider.ts';
import { siteUrl } from './api.ts';
import { jiraActions } from './actions.ts';
import { checkJiraToken } from './check.ts';
import { registerJiraHook, removeJiraHook } from './hooks.ts';
import { notifyJira } from './notify.ts';
import { jiraOAuth } from './oauth.ts';
import { receiveJiraCall } from './ingest/receive.ts';
import { verifyJira } from './ingest/verify.ts';
import { jiraSync } from './sync.ts';

/** Jira Cloud: the webhooks of an administrator, or those of an app. */
export const jira: Provider = {
  key: 'jira',
  name: 'Jira',
  description:
    'Issues, comments, work logs, sprints and versions of Jira Cloud; sends notifications as comments and tasks.',
  repeatable: false,
  // Atlassian generates the client secret of an app.
  signing: ({ client_secret: secret }) =>
    secret === undefined ? { name: 'webhook_secret', generate: randomSecret } : { name: 'client_secret' },
  checkCredentials: () => [],
  headers: () => ['x-hub-signature', 'authorization', 'x-atlassian-webhook-identifier'],
  targets: ({ domain }) =>
    domain === undefined ? [] : [{ field: 'credentials.domain', url: `${siteUrl(domain)}/` }],
  verify: verifyJira,
  receive: receiveJiraCall,
  validate: checkJiraToken,
  register: registerJiraHook,
  unregister: removeJiraHook,
  notify: notifyJira,
  sync: jiraSync,
  actions: jiraActions,
  oauth: jiraOAuth,
  setUp,
};

function setUp(
  ingestUrl: string,
  { domain = 'your-site.atlassian.net', client_secret: secret, token }: Credentials,
): Setup {
  if (token !== undefined) {
    return {
      steps: [
        'Open https://developer.atlassian.com/console/myapps/, choose your app, and add the scopes read:jira-work, read:jira-user, write:jira-work and manage:jira-webhook to the Jira API under Permissions.',
        'Reconnect with OAuth as the owner of the app: until the app is shared, Jira sends its webhooks only for the owner.',
      ],
    };
  }
  if (secret !== undefined) {
    return {
      steps: [
        `Have your app call POST https://api.atlassian.com/ex/jira/{cloudId}/rest/api/3/webhook with the url ${ingestUrl} and the events that you want.`,
        'Have it refresh the webhooks with PUT …/rest/api/3/webhook/refresh at least every 30 days.',
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
