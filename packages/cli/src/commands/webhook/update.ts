import { TRIGGERS } from '@hubline/contract/constants';
import { usageError } from '../../errors.ts';
import { assertSomeFlag } from '../../input/assert-some-flag.ts';
import { webhookFilters } from '../../input/webhook-filters.ts';
import { webhookRateLimit } from '../../input/webhook-rate-limit.ts';
import { define } from '../../spec/command.ts';
import { webhookView } from '../../views/webhook.ts';
import { FILTER_FLAGS } from './flags.ts';

export const command = define({
  path: 'webhook update',
  summary: 'Change the address, subscription, filters or description of a webhook.',
  endpoints: ['webhooks.update'],
  args: { webhook: { summary: 'Id' } },
  flags: {
    url: { type: 'text', value: 'url', summary: 'New address' },
    trigger: {
      type: 'text',
      value: 'trigger',
      choices: ['*', ...TRIGGERS],
      repeatable: true,
      summary: 'New subscription: all triggers of it, * for all; automation.completed does not fire yet',
    },
    ...FILTER_FLAGS,
    'no-filters': { type: 'boolean', summary: 'Remove all filters' },
    'rate-limit': { type: 'integer', value: 'n', summary: 'Most calls per second; 0 for no limit' },
    description: { type: 'text', value: 'text', summary: 'New description' },
  },
  examples: [
    'hubline webhook update whk_06f8xw2b3c4d5e6f7g8h9j0kmn --url https://app.acme.test/v2/hook',
    'hubline webhook update whk_06f8xw2b3c4d5e6f7g8h9j0kmn --type push --type release',
  ],
  view: webhookView,
  say: ({ id }, style) => `${style.green('✓')} Updated webhook ${id}`,
  async run(ctx, { args, flags }) {
    const given = webhookFilters(flags);
    if (given && flags.noFilters)
      throw usageError('--no-filters removes what the other flags would set.', 'Leave out one of them.');
    const filters = flags.noFilters ? null : given;
    const { url, description } = flags;
    const events = flags.trigger.length > 0 ? flags.trigger : undefined;
    const rateLimit = webhookRateLimit(flags.rateLimit);
    assertSomeFlag({ url, trigger: events, type: filters, rateLimit, description });
    const changes = { url, events, filters, rate_limit: rateLimit, description };
    const client = await ctx.client();
    return client.webhooks.update(args.webhook, changes, ctx.request);
  },
});
