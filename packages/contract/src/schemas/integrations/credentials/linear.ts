import { z } from 'zod';
import { headerSecret, secret, setting } from './forms.ts';

/** An API key of Linear. */
export const LinearApiKey = z
  .strictObject({
    api_key: headerSecret.describe('A personal API key of a workspace admin, such as `lin_api_…`.'),
    webhook_secret: secret
      .optional()
      .describe("Secret that signs Linear's calls. Default: a generated one, shown once."),
    team: setting
      .regex(/^[A-Z][A-Z\d]{0,6}$/, "must be a team's key, such as ENG")
      .optional()
      .describe('Key of the team that sends events, such as `ENG`. Default: all public teams.'),
  })
  .describe('An API key for Linear.')
  .meta({ id: 'LinearCredentials', title: 'API key' });
