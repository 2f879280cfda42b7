import { DELIVERY_STATUSES } from '@hubline/contract/constants';
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
    integration: { type: 'text', value: 'id', summary: 'Only events that came through this integration' },
    'delivery-status': {
      type: 'text',
      value: 'status',
      choices: DELIVERY_STATUSES,
      summary: 'Only events with a delivery in this state',
    },
    include: {
      type: 'text',
      value: 'what',
      choices: ['deliveries'],
      summary: 'deliveries: how many of each event are in which state',
    },
    'all-workspaces': { type: 'boolean', summary: 'Events of every workspace that the key can see' },
    ...LIST_FLAGS,
  },
  examples: [
    'hubline event list --type push --since 2h',
    'hubline event list --delivery-status failed --include deliveries --json',
    'hubline event list --all --ndjson | jq -r .source | sort | uniq -c',
  ],
  view: eventView,
  async run(ctx, { flags }) {
    const { type, source, since, until, integration, deliveryStatus, include } = flags;
    const filters = {
      type,
      source,
      since,
      until,
      include,
      integration_id: integration,
      delivery_status: deliveryStatus,
    };
    const client = await ctx.client();
    if (flags.allWorkspaces) {
      return paged(ctx, flags, (query) => client.events.listAll({ ...filters, ...query }, ctx.request));
    }
    const workspace = await ctx.workspace();
    return paged(ctx, flags, (query) => client.events.list(workspace, { ...filters, ...query }, ctx.request));
  },
});
