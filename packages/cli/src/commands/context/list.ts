import { savedConnections } from '../../config/saved-connections.ts';
import { define } from '../../spec/command.ts';
import { connectionView } from '../../views/connection.ts';

export const command = define({
  path: 'context list',
  summary: 'List saved contexts: a server, a key and a default workspace each.',
  aliases: ['ls'],
  examples: ['hubline context list', 'hubline context list --json=name,base_url'],
  view: connectionView,
  run: async (ctx) => savedConnections(await ctx.config()),
});
