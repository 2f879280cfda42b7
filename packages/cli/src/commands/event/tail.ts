import { define } from '../../spec/command.ts';
import { eventView } from '../../views/event.ts';
import { FILTER_FLAGS } from './filters.ts';

export const command = define({
  path: 'event tail',
  summary: 'Follow events as they come, until Ctrl-C. It reconnects by itself and misses nothing.',
  endpoints: ['events.stream'],
  live: true,
  flags: {
    ...FILTER_FLAGS,
    limit: { type: 'integer', short: 'L', value: 'n', summary: 'Stop after this many' },
  },
  examples: [
    'hubline event tail --source github',
    'hubline event tail --since 10m --json=type,summary | jq -r .type',
  ],
  view: eventView,
  async *run(ctx, { flags: { type, source, since, limit } }) {
    if (limit === 0) return;
    const client = await ctx.client();
    let count = 0;
    for await (const event of client.events.stream(
      await ctx.workspace(),
      { type, source, since },
      ctx.request,
    )) {
      yield event;
      if ((count += 1) === limit) return;
    }
  },
});
