import { paged } from '../../client/paged.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { eventView } from '../../views/event.ts';
import { FILTER_FLAGS } from './filters.ts';

export const command = define({
  path: 'event list',
  summary: 'List events, newest first.',
  aliases: ['ls'],
  endpoints: ['events.list', 'events.listAll'],
  list: true,
  flags: {
    ...FILTER_FLAGS,
    until: { type: 'time', value: 'time', summary: 'Only events before this time' },
    'all-workspaces': { type: 'boolean', summary: 'Events of every workspace that the key can see' },
    ...LIST_FLAGS,
  },
  examples: [
    'hubline event list --type push --since 2h',
    'hubline event list --all --ndjson | jq -r .source | sort | uniq -c',
  ],
  view: eventView,
  async run(ctx, { flags }) {
    const { type, source, since, until } = flags;
    const filters = { type, source, since, until };
    const client = await ctx.client();
    if (flags.allWorkspaces) {
      return paged(ctx, flags, (query) => client.events.listAll({ ...filters, ...query }, ctx.request));
    }
    const workspace = await ctx.workspace();
    return paged(ctx, flags, (query) => client.events.list(workspace, { ...filters, ...query }, ctx.request));
  },
});
