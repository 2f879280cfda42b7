import { LIMITS } from '@hubline/contract/constants';
import type { Context } from '../context.ts';

/** Warns of a signing secret that is a risk. It is used all the same: the specification takes any text. `cure` is a way to a better one. */
export async function warnOfSecret(ctx: Context, secret: string, cure: string): Promise<void> {
  const length = [...secret].length;
  if (length < LIMITS.secretAdvisedMin) {
    const characters = length === 1 ? '1 character' : `${length} characters`;
    await ctx.warn(
      `The secret has only ${characters}: anyone who sees one call can guess it and forge others. Use at least ${LIMITS.secretAdvisedMin}. ${cure}`,
    );
  }
  if (secret.startsWith('whsec_') && !isStandard(secret)) {
    await ctx.warn(
      `The secret begins with whsec_, but 24 to 64 bytes in base64 do not follow: libraries of Standard Webhooks cannot verify its calls. @hubline/webhooks can. ${cure}`,
    );
  }
}

/** Reports whether a secret has the form of Standard Webhooks: 24 to 64 bytes, in base64 with its padding. */
function isStandard(secret: string): boolean {
  const base64 = secret.slice('whsec_'.length);
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === base64;
}
