import { LIMITS } from '@hubline/contract/constants';
import type { Context } from '../context.ts';

/** Warns of a signing secret that can be guessed. It is used all the same: the specification sets no minimum. */
export async function warnOfShortSecret(ctx: Context, secret: string, cure: string): Promise<void> {
  const length = [...secret].length;
  if (length >= LIMITS.secretAdvisedMin) return;
  const characters = length === 1 ? '1 character' : `${length} characters`;
  await ctx.warn(
    `The secret has only ${characters}: anyone who sees one call can guess it and forge others. Use at least ${LIMITS.secretAdvisedMin}. ${cure}`,
  );
}
