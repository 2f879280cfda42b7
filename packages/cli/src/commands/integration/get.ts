import { eachId } from '../../client/each-id.ts';
import { define } from '../../spec/command.ts';
import { integrationView } from '../../views/integration.ts';

export const command = define({
  path: 'integration get',
  summary: 'Show integrations: status, settings, and where their events come in.',
  aliases: ['view', 'show'],
  endpoints: ['integrations.get'],
  args: { integration: { summary: 'Ids; - reads them from stdin', variadic: true, ids: true } },
  examples: ['hubline integration get int_06f8xw2b3c4d5e6f7g8h9j0kmn --json=ingest'],
  view: integrationView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return eachId(ctx, args.integration, (id) => client.integrations.get(id, ctx.request));
  },
});
