import { z } from 'zod';
import { secret, urlToken } from './forms.ts';

/** The credentials of a provider that a workspace has defined. Its definition says which of them it takes. */
export const DefinedCredentials = z
  .strictObject({
    secret: secret
      .optional()
      .describe('Secret that signs the calls, or the token. Default: a generated one, shown once.'),
    public_key: secret
      .regex(/^[\da-fA-F]{64}$/, 'must be the 64 hexadecimal digits of an Ed25519 public key')
      .optional()
      .describe('Public key of the tool, in hexadecimal digits.'),
    url_token: urlToken
      .optional()
      .describe('Token at the end of the ingest URL, for the verification `none`. Default: a generated one.'),
    notify_url: secret.optional().describe('HTTPS URL that receives notifications.'),
  })
  .describe('Credentials of a provider that a workspace has defined.')
  .meta({ id: 'DefinedCredentials', title: 'Webhook' });
