import type { Context } from '../../context.ts';
import { cancelled, usageError } from '../../errors/errors.ts';
import { shellWord } from '../../terminal/shell-word.ts';

/** The confirmation of a change that cannot be undone: the name of the thing, from `--confirm` or typed. */
export async function confirmName(
  ctx: Context,
  { name, given, consequence }: { name: string; given: string | undefined; consequence: string },
): Promise<void> {
  if (given === undefined) {
    if (ctx.globals.dryRun) return;
    await ctx.report(consequence);
    const typed = await (await ctx.prompt('--confirm')).text(`Type ${name} to confirm`);
    if (typed !== name) throw cancelled('nothing was changed', '--confirm <slug>');
  } else if (given !== name) {
    throw usageError(
      `--confirm is "${given}", but the workspace is "${name}".`,
      `Nothing was changed. To go ahead: --confirm ${shellWord(name)}`,
    );
  }
}
