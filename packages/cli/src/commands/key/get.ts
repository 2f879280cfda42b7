import { eachId } from '../../client/each-id.ts';
import { define } from '../../spec/command.ts';
import { keyView } from '../../views/key.ts';

export const command = define({
  path: 'key get',
  summary: 'Show keys of the workspace, without their secrets.',
  aliases: ['view', 'show'],
  endpoints: ['apiKeys.get'],
  args: { key: { summary: 'Ids; - reads them from stdin', variadic: true, ids: true } },
  examples: ['hubline key get key_06f8xw2b3c4d5e6f7g8h9j0kmn'],
  view: keyView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return eachId(ctx, args.key, (id) => client.apiKeys.get(workspace, id, ctx.request));
  },
});
