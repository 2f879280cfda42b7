import { useConnection } from '../../config/use-connection.ts';
import { define } from '../../spec/command.ts';
import { connectionView } from '../../views/connection.ts';

export const command = define({
  path: 'auth switch',
  summary: 'Use another saved login: the same as hubline context use.',
  args: { context: { summary: 'Name' } },
  examples: ['hubline auth switch prod'],
  view: connectionView,
  say: ({ name, base_url }, style) => `${style.green('✓')} Commands now go to ${name} (${base_url})`,
  run: (ctx, { args }) => useConnection(ctx, args.context),
});
