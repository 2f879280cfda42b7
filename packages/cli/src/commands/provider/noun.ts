import { paged } from '../../client/lists.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { providerView } from '../../views/integration.ts';
import { findProvider } from '../integration/credentials.ts';

const list = define({
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

const get = define({
  path: 'provider get',
  summary: 'Show an external tool and the credentials it needs.',
  aliases: ['view', 'show'],
  endpoints: ['integrations.listProviders'],
  args: { provider: { summary: 'Key, such as github' } },
  examples: ['hubline provider get github'],
  view: providerView,
  run: (ctx, { args }) => findProvider(ctx, args.provider),
});

export const commands = [list, get] as const;
