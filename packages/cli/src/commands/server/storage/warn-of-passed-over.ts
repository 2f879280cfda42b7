import type { Context } from '../../../context.ts';

interface PassedOver {
  /** Paths of backups that are not what was written. */
  readonly damaged: readonly string[];
  /** Paths of backups that are dated after the clock of this machine. */
  readonly ahead: readonly string[];
}

/** Names the backups that were passed over, so that nobody takes an older one for the newest. */
export async function warnOfPassedOver(ctx: Context, { damaged, ahead }: PassedOver): Promise<void> {
  for (const path of damaged)
    await ctx.warn(`${path} is damaged, and passed over: its size or its manifest is not what was written.`);
  const [first] = ahead;
  if (first === undefined) return;
  const more = ahead.length === 1 ? '' : ` and ${ahead.length - 1} more`;
  await ctx.warn(
    `${first}${more} is dated in the future, and counts as the oldest: a clock was wrong when it was made, or that of this machine is.`,
  );
}
