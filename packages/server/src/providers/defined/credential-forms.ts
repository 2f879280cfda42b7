import { DefinedCredentials } from '@hubline/contract';
import { z } from 'zod';
import { type Definition, proofName } from './definition.ts';

/** The schema of the credentials that connect a defined provider. */
export function credentialForms({ verification, issues_secret: issued }: Definition): z.ZodObject {
  const { secret, public_key: publicKey, url_token, notify_url } = DefinedCredentials.shape;
  const description = `The secret that ${issued ? 'the tool shows' : 'verifies calls. Default: a generated one, shown once'}.`;
  const given = secret.unwrap().describe(description);
  const proof: Record<string, z.ZodType> =
    proofName(verification) === 'secret'
      ? { secret: issued ? given : given.optional().describe(description) }
      : { public_key: publicKey.unwrap() };
  return z
    .strictObject({ ...(verification.kind === 'none' ? { url_token } : proof), notify_url })
    .describe('The secret or key that verifies its calls, and the URL for notifications.')
    .meta({ title: 'Webhook' });
}
