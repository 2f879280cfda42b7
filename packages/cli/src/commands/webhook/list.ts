import { paged } from '../../client/paged.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { webhookView } from '../../views/webhook.ts';

export const command = define({
  path: 'webhook list',
  summary: 'List the webhooks of the workspace.',
  aliases: ['ls'],
  endpoints: ['webhooks.list'],
  list: true,
  flags: LIST_FLAGS,
  examples: ['hubline webhook list', 'hubline webhook list -q | hubline webhook delete - --yes'],
  view: webhookView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    const workspace_id = await ctx.workspace();
    return paged(ctx, flags, (query) => client.webhooks.list({ workspace_id, ...query }, ctx.request));
  },
});
