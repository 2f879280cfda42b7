import { savedConnection } from '../../config/saved-connections.ts';
import { forgetKey } from '../../keychain/saved-key.ts';
import { define } from '../../spec/command.ts';
import { gone, goneView } from '../../views/gone.ts';

export const command = define({
  path: 'context delete',
  summary: 'Delete a saved context with its key. Nothing changes on the server.',
  aliases: ['rm'],
  danger: 'confirm',
  question: ({ args }) => `Delete the context ${args.context} and its key from this machine?`,
  args: { context: { summary: 'Name' } },
  examples: ['hubline context delete prod --yes'],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Deleted context ${id}`,
  async run(ctx, { args: { context: name } }) {
    const config = await ctx.config();
    await forgetKey(ctx, name, savedConnection(config, name));
    const { [name]: _deleted, ...contexts } = config.contexts;
    await ctx.saveConfig({ ...config, current: config.current === name ? null : config.current, contexts });
    return gone(name);
  },
});
