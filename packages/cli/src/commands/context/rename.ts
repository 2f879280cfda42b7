import { connectionInfo, savedConnection } from '../../config/saved-connections.ts';
import { CommandError } from '../../errors.ts';
import { forgetKey, loadKey, saveKey } from '../../keychain/saved-key.ts';
import { define } from '../../spec/command.ts';
import { connectionView } from '../../views/connection.ts';

export const command = define({
  path: 'context rename',
  summary: 'Give a saved context another name.',
  args: { context: { summary: 'Name' }, name: { summary: 'New name' } },
  examples: ['hubline context rename local laptop'],
  view: connectionView,
  say: ({ name }, style) => `${style.green('✓')} The context is now called ${name}`,
  async run(ctx, { args: { context: from, name: to } }) {
    const config = await ctx.config();
    const saved = savedConnection(config, from);
    if (Object.hasOwn(config.contexts, to)) {
      throw new CommandError(
        'conflict',
        `There is a context "${to}" already.`,
        'Delete it first, or choose another name.',
      );
    }
    const key = await loadKey(ctx, from, saved);
    const moved = key === undefined ? {} : await saveKey(ctx, to, { base_url: saved.base_url, key });
    const { api_key: _key, key_in: _place, key_prefix: _prefix, ...rest } = saved;
    const { [from]: _gone, ...others } = config.contexts;
    const current = config.current === from ? to : config.current;
    const changed = { ...config, current, contexts: { ...others, [to]: { ...rest, ...moved } } };
    await ctx.saveConfig(changed);
    await forgetKey(ctx, from, saved);
    return connectionInfo(changed, to);
  },
});
