import { z } from 'zod';
import { headerSecret, host, secret, setting } from './forms.ts';

/** A token of GitHub. */
export const GithubToken = z
  .strictObject({
    token: headerSecret.describe('A personal access token, or the token of an installed GitHub App.'),
    webhook_secret: secret
      .optional()
      .describe("Secret that signs GitHub's calls. Default: a generated one, shown once."),
    repository: setting
      .regex(/^[\w-]+\/(?!\.{1,2}$)[\w.-]+$/, 'must be owner/repo')
      .optional()
      .describe('Repository to register the webhook in, as `owner/repo`.'),
    organization: setting
      .regex(/^[\w-]+$/, "must be an organization's login, such as octo-org")
      .optional()
      .describe('Organization to register the webhook in instead, for all of its repositories.'),
    domain: host.optional().describe('Host of a GitHub Enterprise Server. Default: github.com.'),
  })
  .describe('A token for GitHub.')
  .meta({ id: 'GithubCredentials', title: 'Access token' });
