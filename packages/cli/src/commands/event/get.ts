import { eachId } from '../../client/each-id.ts';
import { define } from '../../spec/command.ts';
import { eventView } from '../../views/event.ts';

export const command = define({
  path: 'event get',
  summary: 'Show events with their payloads.',
  aliases: ['view', 'show'],
  endpoints: ['events.get'],
  args: { event: { summary: 'Ids; - reads them from stdin', variadic: true, ids: true } },
  examples: [
    'hubline event get evt_06f8xw2b3c4d5e6f7g8h9j0kmn',
    'hubline event list -q | hubline event get - --json=payload',
  ],
  view: eventView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return eachId(ctx, args.event, (id) => client.events.get(workspace, id, ctx.request));
  },
});
