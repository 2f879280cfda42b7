import { findProvider } from '../../client/find-provider.ts';
import { define } from '../../spec/command.ts';
import { providerView } from '../../views/integration.ts';

export const command = define({
  path: 'provider get',
  summary: 'Show an external tool and the credentials it needs.',
  aliases: ['view', 'show'],
  endpoints: ['integrations.listProviders'],
  args: { provider: { summary: 'Key, such as github' } },
  examples: ['hubline provider get github'],
  view: providerView,
  run: (ctx, { args }) => findProvider(ctx, args.provider),
});
