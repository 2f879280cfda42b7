import { z } from 'zod';
import { headerSecret, secret } from './forms.ts';

/** An internal integration of Notion. */
export const NotionToken = z
  .strictObject({
    token: headerSecret.describe(
      "The Internal Integration Secret (`ntn_…`), from the integration's Configuration page.",
    ),
    verification_token: secret
      .optional()
      .describe(
        "Token that signs Notion's calls. Default: the one that Notion sends when the subscription is created.",
      ),
  })
  .describe('An internal integration: changes to the pages that it can see, and comments on them.')
  .meta({ id: 'NotionCredentials', title: 'Internal integration' });
