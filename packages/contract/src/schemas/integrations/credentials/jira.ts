import { z } from 'zod';
import { headerSecret, host, secret, setting } from './forms.ts';

const token = {
  // The colon would end the name in Basic authentication.
  email: setting
    .regex(/^[^\s:@]+@[^\s:@]+$/, 'must be an email address')
    .describe('The email address of the Atlassian account that the API token belongs to.'),
  api_key: headerSecret.describe('An API token of that account.'),
  domain: host.describe('Host of the Jira site, such as `acme.atlassian.net`.'),
};

/** An API token of Jira Cloud; its webhooks are those of an administrator. */
export const JiraApiToken = z
  .strictObject({
    ...token,
    webhook_secret: secret
      .optional()
      .describe("Secret that signs Jira's calls. Default: a generated one, shown once."),
    project: setting
      .regex(/^[A-Z][A-Z\d_]{1,99}$/, "must be a project's key, such as OPS")
      .optional()
      .describe(
        'Key of the project whose issues become events, such as `OPS`. Default: all projects of the site.',
      ),
  })
  .describe('An API token for Jira Cloud. The webhook is registered if the account administers Jira.')
  .meta({ id: 'JiraCredentials', title: 'API token' });

/** An API token of Jira Cloud; its webhooks are those of an OAuth 2.0 app. */
export const JiraApp = z
  .strictObject({
    ...token,
    client_secret: secret.describe('The client secret of the app, with which Jira signs its bearer tokens.'),
  })
  .describe('An API token for Jira Cloud; events come from the dynamic webhooks of your own OAuth 2.0 app.')
  .meta({ id: 'JiraAppCredentials', title: 'API token, webhooks of an app' });
