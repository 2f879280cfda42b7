import type { Context } from '../../../context.ts';

/** Names the backups that were passed over, so that nobody takes an older one for the newest. */
export async function warnOfDamaged(ctx: Context, damaged: readonly string[]): Promise<void> {
  for (const path of damaged)
    await ctx.warn(`${path} is damaged, and passed over: its size or its manifest is not what was written.`);
}
