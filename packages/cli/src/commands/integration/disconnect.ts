import { eachId } from '../../client/each-id.ts';
import { define } from '../../spec/command.ts';
import { gone, goneView } from '../../views/gone.ts';

export const command = define({
  path: 'integration disconnect',
  summary: 'Disconnect integrations: credentials are deleted, events stop, webhooks only for them go, too.',
  aliases: ['delete', 'rm'],
  endpoints: ['integrations.disconnect'],
  danger: 'confirm',
  question: ({ args }) => `Disconnect ${args.integration.join(', ')} and delete the credentials?`,
  args: { integration: { summary: 'Ids; - reads them from stdin', variadic: true, ids: true } },
  examples: ['hubline integration disconnect int_06f8xw2b3c4d5e6f7g8h9j0kmn --yes'],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Disconnected ${id}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return eachId(ctx, args.integration, async (id) => {
      await client.integrations.disconnect(workspace, id, ctx.request);
      return gone(id);
    });
  },
});
