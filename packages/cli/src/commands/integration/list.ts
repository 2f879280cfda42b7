import { paged } from '../../client/paged.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { integrationListView } from '../../views/integration.ts';

export const command = define({
  path: 'integration list',
  summary: 'List the integrations of the workspace.',
  aliases: ['ls'],
  endpoints: ['integrations.list'],
  list: true,
  flags: LIST_FLAGS,
  examples: ['hubline integration list', 'hubline integration list -w acme --json=integration_id,status'],
  view: integrationListView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return paged(ctx, flags, (query) => client.integrations.list(workspace, query, ctx.request));
  },
});
