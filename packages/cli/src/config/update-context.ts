import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import type { SavedContext } from './config-file.ts';

/** Changes the saved context in use. */
export async function updateContext(
  ctx: Context,
  change: (saved: SavedContext) => SavedContext,
): Promise<void> {
  const { context } = await ctx.settings();
  const config = await ctx.config();
  const saved = context && config.contexts[context.value];
  if (!saved) {
    throw usageError(
      'There is no saved context to keep this in.',
      'Run: hubline auth login, or set HUBLINE_WORKSPACE.',
    );
  }
  await ctx.saveConfig({ ...config, contexts: { ...config.contexts, [context.value]: change(saved) } });
}
