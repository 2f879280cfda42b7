import { paged } from '../../client/paged.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { providerView } from '../../views/integration.ts';

export const command = define({
  path: 'provider list',
  summary: 'List the external tools that can be connected.',
  aliases: ['ls'],
  endpoints: ['integrations.listProviders'],
  list: true,
  flags: LIST_FLAGS,
  examples: ['hubline provider list', 'hubline provider list --json=provider,required_credentials'],
  view: providerView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    return paged(ctx, flags, (query) => client.integrations.listProviders(query, ctx.request));
  },
});
