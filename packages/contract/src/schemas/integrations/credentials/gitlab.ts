import { z } from 'zod';
import { headerSecret, host, secret, setting } from './forms.ts';

const path = setting.regex(
  /^(?!\.{1,2}$)[\w.-]+(?:\/[\w.-]+)*$/,
  'must be the path of a group, such as acme/tools',
);

const token = {
  token: headerSecret.describe('A personal, group or project access token with the scope `api`.'),
  domain: host.optional().describe('Host of a self-managed GitLab. Default: gitlab.com.'),
  project: setting
    .regex(/^[\w.-]+(?:\/[\w.-]+)+$/, 'must be the path of a project, such as acme/web')
    .optional()
    .describe('Project to register the webhook in, as `group/project`.'),
  group: path
    .optional()
    .describe('Group to register the webhook in instead, for all of its projects. Needs GitLab Premium.'),
};

/** An access token of GitLab; its calls carry a secret token. */
export const GitlabToken = z
  .strictObject({
    ...token,
    webhook_secret: secret
      .optional()
      .describe('Secret token that GitLab sends with its calls. Default: a generated one, shown once.'),
  })
  .describe('A token for GitLab. Its calls carry a secret token, which every version of GitLab supports.')
  .meta({ id: 'GitlabCredentials', title: 'Access token' });

/** An access token of GitLab; its calls are signed. */
export const GitlabSigned = z
  .strictObject({
    ...token,
    signing_token: secret
      // GitLab itself requires 32 bytes in base64.
      .regex(/^whsec_[A-Za-z\d+/]{43}=$/, 'must be whsec_ and 32 bytes in base64')
      .describe('The signing token of the webhook: `whsec_` and 32 random bytes in base64.'),
  })
  .describe('A token for GitLab 19 or later, whose calls are signed. A call without a signature is refused.')
  .meta({ id: 'GitlabSignedCredentials', title: 'Access token, signed webhooks' });
