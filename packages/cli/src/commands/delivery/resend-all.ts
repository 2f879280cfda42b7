import { RECOVERABLE_STATUSES, TRIGGERS } from '@hubline/contract/constants';
import { define } from '../../spec/command.ts';
import { recoveryView } from '../../views/recovery.ts';

export const command = define({
  path: 'delivery resend-all',
  summary: 'Make one extra attempt of every delivery that matches. Progress: hubline recovery get <id>',
  aliases: ['retry-all'],
  endpoints: ['deliveries.retryAll'],
  danger: 'confirm',
  question: ({ flags: { status, webhook } }) =>
    `Send all ${status.length > 0 ? status.join(' and ') : 'failed'} deliveries${webhook ? ` of ${webhook}` : ''} again?`,
  flags: {
    status: {
      type: 'text',
      value: 'status',
      choices: RECOVERABLE_STATUSES,
      repeatable: true,
      summary: 'Deliveries in this state (server default: failed)',
    },
    webhook: { type: 'text', value: 'id', summary: 'Only deliveries to this webhook' },
    event: { type: 'text', value: 'id', summary: 'Only deliveries of this event' },
    trigger: {
      type: 'text',
      value: 'trigger',
      choices: TRIGGERS,
      summary: 'Only deliveries of this trigger',
    },
    since: {
      type: 'time',
      value: 'time',
      summary: 'Only deliveries after this time, or within this duration: 2h',
    },
    until: { type: 'time', value: 'time', summary: 'Only deliveries before this time' },
  },
  examples: [
    'hubline delivery resend-all --since 6h --yes',
    'hubline delivery resend-all --webhook whk_06f8xw2b3c4d5e6f7g8h9j0kmn --status failed',
  ],
  view: recoveryView,
  say: ({ id }, style) => `${style.green('✓')} Recovery ${id} began`,
  async run(ctx, { flags: { status, webhook, event, trigger, since, until } }) {
    const client = await ctx.client();
    const body = {
      webhook_id: webhook,
      event_id: event,
      event_type: trigger,
      since,
      until,
      statuses: status.length > 0 ? status : undefined,
    };
    return client.deliveries.retryAll(await ctx.workspace(), body, ctx.request);
  },
});
