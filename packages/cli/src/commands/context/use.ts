import { useConnection } from '../../config/use-connection.ts';
import { define } from '../../spec/command.ts';
import { connectionView } from '../../views/connection.ts';

export const command = define({
  path: 'context use',
  summary: 'Make a saved context the current one.',
  aliases: ['switch'],
  args: { context: { summary: 'Name' } },
  examples: ['hubline context use prod'],
  view: connectionView,
  say: ({ name, base_url }, style) => `${style.green('✓')} Commands now go to ${name} (${base_url})`,
  run: (ctx, { args }) => useConnection(ctx, args.context),
});
