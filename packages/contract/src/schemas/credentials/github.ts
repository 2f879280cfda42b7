import { z } from 'zod';
import { headerSecret, host, secret, setting } from './forms.ts';

/** A token of GitHub. */
export const GithubToken = z
  .strictObject({
    token: headerSecret.describe('A personal access token, or the token of an installed GitHub App.'),
    webhook_secret: secret
      .optional()
      .describe('Signs the calls of GitHub. Default: one is generated and shown once.'),
    repository: setting
      .regex(/^[\w.-]+\/[\w.-]+$/, 'must be owner/repo')
      .optional()
      .describe('Where the webhook is registered, as `owner/repo`.'),
    organization: setting
      .regex(/^[\w-]+$/, "must be an organization's login, such as octo-org")
      .optional()
      .describe('Where the webhook is registered instead, for all repositories of an organization.'),
    domain: host.optional().describe('Host of a GitHub Enterprise Server. Default: github.com.'),
  })
  .describe('A token for GitHub.')
  .meta({ id: 'GithubCredentials', title: 'Access token' });
