import { RECOVERABLE_STATUSES } from '@hubline/contract/constants';
import { define } from '../../spec/command.ts';
import { recoveryView } from '../../views/recovery.ts';

export const command = define({
  path: 'webhook recover',
  summary: 'Send again what a webhook has missed. Progress: hubline recovery get <id>',
  endpoints: ['webhooks.recover'],
  danger: 'confirm',
  question: ({ args, flags }) => `Send again what ${args.webhook} has missed since ${flags.since}?`,
  args: { webhook: { summary: 'Id' } },
  flags: {
    since: {
      type: 'time',
      value: 'time',
      required: true,
      prompt: 'Since when (a time, or a duration such as 6h)',
      summary: 'Deliveries after this time, or within this duration: 6h',
    },
    until: { type: 'time', value: 'time', summary: 'Only deliveries before this time' },
    status: {
      type: 'text',
      value: 'status',
      choices: RECOVERABLE_STATUSES,
      repeatable: true,
      summary: 'Deliveries in this state (server default: failed)',
    },
  },
  examples: [
    'hubline webhook recover whk_06f8xw2b3c4d5e6f7g8h9j0kmn --since 6h --yes',
    'hubline webhook recover whk_06f8xw2b3c4d5e6f7g8h9j0kmn --since 2026-01-31 --status failed --status delivered',
  ],
  view: recoveryView,
  say: ({ id }, style) => `${style.green('✓')} Recovery ${id} began`,
  async run(ctx, { args, flags: { since, until, status } }) {
    const client = await ctx.client();
    const statuses = status.length > 0 ? status : undefined;
    return client.webhooks.recover(args.webhook, { since, until, statuses }, ctx.request);
  },
});
