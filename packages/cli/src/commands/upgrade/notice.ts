import type { Context } from '../../context.ts';
import type { Command } from '../../spec/command.ts';
import { version as installed } from '../../about.ts';
import { latestKnown, claimDailyNotice } from './latest.ts';

/** The command line of the check, each of whose downloads gives up after five seconds. */
const LOOK = ['upgrade', '--check', '--quiet', '--timeout=5s'];

/**
 * Tells a person once a day of a newer version that was found on an earlier day, and checks again. No command waits for the check, which
 * runs in its own process.
 */
export async function noticeUpgrade(ctx: Context, { path }: Command): Promise<void> {
  const { env, globals, io, oneFile } = ctx;
  if (!oneFile?.releaseKey || path === 'upgrade' || env['HUBLINE_NO_UPDATE_NOTICE']) return;
  if (ctx.machine || globals.quiet || globals.dryRun || !ctx.interactive || !io.stdout.isTTY) return;
  if (!claimDailyNotice(ctx)) return;
  const latest = latestKnown(ctx);
  if (latest !== undefined) {
    const { compareVersions, validateStrict } = await import('compare-versions');
    if (validateStrict(latest) && compareVersions(latest, installed) > 0)
      await ctx.note(
        `hubline ${latest} is available; this is ${installed}. Install it: hubline upgrade (HUBLINE_NO_UPDATE_NOTICE=1 turns these notes off)`,
      );
  }
  ctx.startInBackground(LOOK);
}
