import { paged } from '../../client/paged.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { keyView } from '../../views/key.ts';
import { PERSONAL_FLAG } from './flags.ts';

export const command = define({
  path: 'key list',
  summary: 'List API keys, without their secrets.',
  aliases: ['ls'],
  endpoints: ['apiKeys.list', 'personalApiKeys.list'],
  list: true,
  flags: { ...PERSONAL_FLAG, ...LIST_FLAGS },
  examples: ['hubline key list', 'hubline key list --personal --json=id,last_used_at'],
  view: keyView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    if (flags.personal) return paged(ctx, flags, (query) => client.personalApiKeys.list(query, ctx.request));
    const workspace = await ctx.workspace();
    return paged(ctx, flags, (query) => client.apiKeys.list(workspace, query, ctx.request));
  },
});
