import type { Context } from '../../../context.ts';

interface SuspectBackups {
  /** Paths of damaged backups. */
  readonly damaged: readonly string[];
  /** Paths of backups that are dated after the clock of this machine. */
  readonly ahead: readonly string[];
}

/** Warns of backups that were skipped, or that count as the oldest, so that nobody takes another one for the newest. */
export async function warnOfSuspectBackups(ctx: Context, { damaged, ahead }: SuspectBackups): Promise<void> {
  for (const path of damaged)
    await ctx.warn(`${path} is damaged and was skipped: its size or its manifest is not what was written.`);
  const [first] = ahead;
  if (first === undefined) return;
  const named =
    ahead.length === 1
      ? `${first} is dated in the future, so it counts`
      : `${first} and ${ahead.length - 1} more are dated in the future, so they count`;
  await ctx.warn(
    `${named} as the oldest. Either the clock was wrong when a backup was made, or it is wrong here now.`,
  );
}
