import { connectionInfo, savedConnection } from '../../config/saved-connections.ts';
import { forgetKey } from '../../keychain/saved-key.ts';
import { usageError } from '../../errors.ts';
import { define } from '../../spec/command.ts';
import { connectionView } from '../../views/connection.ts';

export const command = define({
  path: 'auth logout',
  summary: 'Forget the saved key of a context. The key itself stays valid: see hubline key revoke.',
  args: { context: { summary: 'Name; default: the current context', optional: true } },
  examples: ['hubline auth logout', 'hubline auth logout prod'],
  view: connectionView,
  say: ({ name }, style) => `${style.green('✓')} Logged out of context ${name}`,
  async run(ctx, { args }) {
    const config = await ctx.config();
    const name = args.context ?? ctx.globals.context ?? config.current;
    if (name === null)
      throw usageError('There is no saved context.', 'A key in HUBLINE_API_KEY is not kept here: unset it.');
    const saved = savedConnection(config, name);
    await forgetKey(ctx, name, saved);
    const { api_key: _key, key_in: _place, key_prefix: _prefix, ...rest } = saved;
    const changed = { ...config, contexts: { ...config.contexts, [name]: rest } };
    await ctx.saveConfig(changed);
    return connectionInfo(changed, name);
  },
});
