import { paged } from '../../client/paged.ts';
import { define } from '../../spec/command.ts';
import { EXPORT_FLAGS } from '../../spec/global-flags.ts';
import { memberView } from '../../views/member.ts';

export const command = define({
  path: 'member export',
  summary: 'Export the members as CSV, JSON or one JSON document per line, for member import.',
  endpoints: ['members.list'],
  export: true,
  flags: EXPORT_FLAGS,
  examples: ['hubline member export --out people.csv', 'hubline member export --format ndjson'],
  view: memberView,
  async run(ctx) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return paged(ctx, { limit: 0, all: true }, (query) => client.members.list(workspace, query, ctx.request));
  },
});
