import { savedConnections } from '../../config/saved-connections.ts';
import { define } from '../../spec/command.ts';
import { connectionView } from '../../views/connection.ts';

export const command = define({
  path: 'auth list',
  summary: 'List saved logins, with the first characters of their keys.',
  aliases: ['ls'],
  examples: ['hubline auth list'],
  view: connectionView,
  run: async (ctx) => savedConnections(await ctx.config()),
});
