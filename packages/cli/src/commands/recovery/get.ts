import { eachId } from '../../client/lists.ts';
import { define } from '../../spec/command.ts';
import { recoveryView } from '../../views/recovery.ts';

const get = define({
  path: 'recovery get',
  summary: 'Show recoveries: how many deliveries match, and how many of them are queued for a retry.',
  aliases: ['view', 'show'],
  endpoints: ['recoveries.get'],
  args: { recovery: { summary: 'IDs; - reads them from stdin', variadic: true, ids: true } },
  examples: ['hubline recovery get rec_06f8xw2b3c4d5e6f7g8h9j0kmn --json=status,matched,done'],
  view: recoveryView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return eachId(ctx, args.recovery, (id) => client.recoveries.get(id, ctx.request));
  },
});

export const commands = [get] as const;
