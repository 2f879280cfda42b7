import { connectionInfo } from '../../config/saved-connections.ts';
import { usageError } from '../../errors.ts';
import { define } from '../../spec/command.ts';
import { connectionView } from '../../views/connection.ts';

export const command = define({
  path: 'context show',
  summary: 'Show a saved context.',
  aliases: ['view', 'get'],
  args: { context: { summary: 'Name; default: the current one', optional: true } },
  examples: ['hubline context show', 'hubline context show prod --json'],
  view: connectionView,
  async run(ctx, { args }) {
    const config = await ctx.config();
    const name = args.context ?? ctx.globals.context ?? config.current;
    if (name === null) throw usageError('There is no saved context.', 'Run: hubline auth login');
    return connectionInfo(config, name);
  },
});
