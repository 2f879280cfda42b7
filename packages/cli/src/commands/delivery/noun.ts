import { RECOVERABLE_STATUSES } from '@hubline/contract/constants';
import type { Delivery } from '@hubline/contract/types';
import { followList } from '../../client/follow-list.ts';
import { eachId, paged } from '../../client/lists.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { attemptView, deliveryDetailView, deliveryView } from '../../views/delivery.ts';
import { recoveryView } from '../../views/recovery.ts';
import { deliveryFilters, FILTER_FLAGS, UNTIL_FLAG, FILTER_FIELDS } from './filters.ts';
import { command as retry } from './retry.ts';
import { shellWord } from '../../terminal/shell-word.ts';

const list = define({
  path: 'delivery list',
  summary: 'List deliveries, newest first.',
  aliases: ['ls'],
  endpoints: ['deliveries.list', 'deliveries.listForWebhook'],
  list: true,
  flags: { ...FILTER_FLAGS, ...UNTIL_FLAG, ...LIST_FLAGS },
  examples: [
    'hubline delivery list --status failed --since 6h',
    'hubline delivery list --webhook whk_06f8xw2b3c4d5e6f7g8h9j0kmn --all --ndjson',
  ],
  typed: FILTER_FIELDS,
  view: deliveryView,
  async run(ctx, { flags }) {
    const { webhook_id: webhook, event_id: event, ...filters } = deliveryFilters(flags);
    const client = await ctx.client();
    if (webhook !== undefined && event === undefined) {
      return paged(ctx, flags, (query) =>
        client.deliveries.listForWebhook(webhook, { ...filters, ...query }, ctx.request),
      );
    }
    const workspace = await ctx.workspace();
    const all = { ...filters, webhook_id: webhook, event_id: event };
    return paged(ctx, flags, (query) => client.deliveries.list(workspace, { ...all, ...query }, ctx.request));
  },
});

const get = define({
  path: 'delivery get',
  summary: 'Show deliveries with their body and every attempt.',
  aliases: ['view', 'show'],
  endpoints: ['deliveries.get'],
  args: { delivery: { summary: 'IDs; - reads them from stdin', variadic: true, ids: true } },
  examples: ['hubline delivery get dlv_06f8xw2b3c4d5e6f7g8h9j0kmn --json=status,attempts'],
  view: deliveryDetailView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return eachId(ctx, args.delivery, (id) => client.deliveries.get(id, ctx.request));
  },
});

const attempts = define({
  path: 'delivery attempts',
  summary: 'List the attempts of a delivery: time, duration, response.',
  endpoints: ['deliveries.get'],
  args: { delivery: { summary: 'ID' } },
  examples: ['hubline delivery attempts dlv_06f8xw2b3c4d5e6f7g8h9j0kmn'],
  view: attemptView,
  async *run(ctx, { args }) {
    const client = await ctx.client();
    yield* (await client.deliveries.get(args.delivery, ctx.request)).attempts;
  },
});

const OPEN: readonly string[] = ['pending', 'retrying', 'held'];

const tail = define({
  path: 'delivery tail',
  summary: 'Follow deliveries until Ctrl-C: each when it appears, and again whenever its status changes.',
  description: 'The list is polled every 2 to 10 seconds, even across server restarts.',
  endpoints: ['deliveries.list'],
  live: true,
  flags: {
    ...FILTER_FLAGS,
    limit: { type: 'integer', short: 'L', value: 'n', min: 1, summary: 'Stop after this many' },
  },
  examples: [
    'hubline delivery tail',
    'hubline delivery tail --status failed --since 1h --json=id,event_type',
  ],
  typed: FILTER_FIELDS,
  view: deliveryView,
  async *run(ctx, { flags }) {
    const { limit = Infinity } = flags;
    // The status is filtered here: a filter of the server would hide that a delivery no longer has it.
    const { status, since, ...filters } = deliveryFilters(flags);
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    const following = followList<Delivery>(ctx, {
      since,
      list: (query, options) => client.deliveries.list(workspace, { ...filters, ...query }, options),
      stateOf: ({ status: state, attempt_count: attempts }) => `${state} ${attempts}`,
      isOpen: ({ status: state }) => OPEN.includes(state),
    });
    let count = 0;
    for await (const delivery of following) {
      if (status !== undefined && delivery.status !== status) continue;
      yield delivery;
      if ((count += 1) === limit) return;
    }
  },
});

const retryAll = define({
  path: 'delivery retry-all',
  summary:
    'Have the server make one extra attempt for every matching delivery, in the background. Progress: hubline recovery get <id>',
  endpoints: ['deliveries.retryAll'],
  danger: 'confirm',
  question: ({ flags: { status, webhook, event, trigger, type, code, error, since, until } }) => {
    const narrowed = [event, trigger, type, code, error, since, until].some((filter) => filter !== undefined);
    const which = `${narrowed ? 'matching ' : ''}${status.join(' and ') || 'failed'}`;
    return `Send all ${which} deliveries${webhook ? ` of ${webhook}` : ''} again?`;
  },
  flags: {
    status: {
      type: 'text',
      value: 'status',
      choices: RECOVERABLE_STATUSES,
      repeatable: true,
      summary: 'Deliveries with this status (server default: failed)',
    },
    webhook: FILTER_FLAGS.webhook,
    event: FILTER_FLAGS.event,
    trigger: FILTER_FLAGS.trigger,
    type: FILTER_FLAGS.type,
    code: FILTER_FLAGS.code,
    error: FILTER_FLAGS.error,
    since: FILTER_FLAGS.since,
    ...UNTIL_FLAG,
  },
  examples: [
    'hubline delivery retry-all --since 6h --yes',
    'hubline delivery retry-all --webhook whk_06f8xw2b3c4d5e6f7g8h9j0kmn --code 503 --yes',
    'hubline delivery retry-all --error timeout --since 6h --yes',
  ],
  typed: FILTER_FIELDS,
  view: recoveryView,
  say: ({ id }, style) => `${style.green('✓')} Recovery ${id} began`,
  next: ({ id }) => `See its progress: hubline recovery get ${shellWord(id)}`,
  async run(ctx, { flags: { status, webhook, event, trigger, type, code, error, since, until } }) {
    const client = await ctx.client();
    const body = {
      webhook_id: webhook,
      event_id: event,
      event_type: trigger,
      event_name: type,
      response_status: code,
      error_kind: error,
      since,
      until,
      statuses: status.length > 0 ? status : undefined,
    };
    return client.deliveries.retryAll(await ctx.workspace(), body, ctx.request);
  },
});

export const commands = [list, get, attempts, retry, retryAll, tail] as const;
