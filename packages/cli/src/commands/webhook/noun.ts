import { RECOVERABLE_STATUSES, TRIGGERS } from '@hubline/contract/constants';
import type { WebhookFilterVerdict } from '@hubline/contract/types';
import { eachId, paged } from '../../client/lists.ts';
import { readSecret } from '../../input/read-input.ts';
import { warnOfSecret } from '../../input/warn-of-secret.ts';
import { webhookFilters, webhookRateLimit } from '../../input/webhook-input.ts';
import { durationText } from '../../output/time.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { gone, goneView } from '../../views/gone.ts';
import { recoveryView } from '../../views/recovery.ts';
import { filterVerdictView, rotatedSecretView, webhookView } from '../../views/webhook.ts';
import { command as create } from './create.ts';
import { FILTER_FLAGS, WEBHOOK_FIELDS } from './flags.ts';
import { command as ping } from './ping.ts';
import { command as stats } from './stats.ts';
import { shellWord } from '../../terminal/shell-word.ts';

const list = define({
  path: 'webhook list',
  summary: 'List the webhooks of the workspace.',
  aliases: ['ls'],
  endpoints: ['webhooks.list'],
  list: true,
  flags: LIST_FLAGS,
  examples: ['hubline webhook list', 'hubline webhook list --json=id,url,status'],
  view: webhookView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    const workspace_id = await ctx.workspace();
    return paged(ctx, flags, (query) => client.webhooks.list({ workspace_id, ...query }, ctx.request));
  },
});

const get = define({
  path: 'webhook get',
  summary: 'Show webhooks, without their signing secrets.',
  aliases: ['view', 'show'],
  endpoints: ['webhooks.get'],
  args: { webhook: { summary: 'IDs; - reads them from stdin', variadic: true, ids: true } },
  examples: ['hubline webhook get whk_06f8xw2b3c4d5e6f7g8h9j0kmn'],
  view: webhookView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return eachId(ctx, args.webhook, (id) => client.webhooks.get(id, ctx.request));
  },
});

const update = define({
  path: 'webhook update',
  summary: 'Change the name, address, subscription, filters or description of a webhook.',
  description:
    'Filters that are not named stay as they are. With --no-filters, the webhook has only the filters that are named beside it.',
  needsFlag: true,
  endpoints: ['webhooks.get', 'webhooks.update'],
  args: { webhook: { summary: 'ID' } },
  flags: {
    url: { type: 'text', value: 'url', summary: 'New address' },
    trigger: {
      type: 'text',
      value: 'trigger',
      choices: ['*', ...TRIGGERS],
      repeatable: true,
      summary: 'Subscribe to this trigger instead; * for all',
    },
    ...FILTER_FLAGS,
    'no-filters': { type: 'boolean', summary: 'Remove all filters, except those that are given' },
    'rate-limit': { type: 'integer', value: 'n', summary: 'Maximum calls per second; 0 for no limit' },
    name: { type: 'text', value: 'name', summary: 'New name' },
    description: { type: 'text', value: 'text', summary: 'New description' },
  },
  examples: [
    'hubline webhook update whk_06f8xw2b3c4d5e6f7g8h9j0kmn --url https://app.acme.test/v2/hook',
    'hubline webhook update whk_06f8xw2b3c4d5e6f7g8h9j0kmn --type push --type release',
  ],
  typed: WEBHOOK_FIELDS,
  view: webhookView,
  say: ({ id }, style) => `${style.green('✓')} Updated webhook ${id}`,
  async run(ctx, { args, flags }) {
    const given = await webhookFilters(ctx, flags);
    const { url, name, description } = flags;
    const events = flags.trigger.length > 0 ? flags.trigger : undefined;
    const rateLimit = webhookRateLimit(flags.rateLimit);
    const client = await ctx.client();
    const stored =
      given && !flags.noFilters
        ? (await client.webhooks.get(args.webhook, { signal: ctx.signal })).filters
        : null;
    const filters = given ? { ...stored, ...given } : flags.noFilters ? null : undefined;
    const changes = { name, url, events, filters, rate_limit: rateLimit, description };
    return client.webhooks.update(args.webhook, changes, ctx.request);
  },
});

const match = define({
  path: 'webhook match',
  summary: 'Try filters on past events, to see which of them a webhook would get. Nothing is sent.',
  description:
    'Without filters, those of the webhook are tried. --json shows the value that each comparison found.',
  endpoints: ['webhooks.testFilters'],
  args: { webhook: { summary: 'ID' } },
  flags: {
    event: {
      type: 'text',
      value: 'id',
      repeatable: true,
      summary: 'Event to try them on (default: the newest 20)',
    },
    ...FILTER_FLAGS,
  },
  examples: [
    'hubline webhook match whk_06f8xw2b3c4d5e6f7g8h9j0kmn',
    `hubline webhook match whk_06f8xw2b3c4d5e6f7g8h9j0kmn --conditions '{"field":"event.summary.severity","op":"in","value":["high","critical"]}'`,
  ],
  typed: WEBHOOK_FIELDS,
  view: filterVerdictView,
  async run(ctx, { args, flags }) {
    const filters = await webhookFilters(ctx, flags);
    const event_ids = flags.event.length > 0 ? flags.event : undefined;
    const client = await ctx.client();
    const { data } = await client.webhooks.testFilters(args.webhook, { filters, event_ids }, ctx.request);
    return (async function* (): AsyncGenerator<WebhookFilterVerdict> {
      yield* data;
    })();
  },
});

const remove = define({
  path: 'webhook delete',
  summary: 'Delete webhooks; their open deliveries are cancelled.',
  aliases: ['rm'],
  endpoints: ['webhooks.delete'],
  danger: 'confirm',
  question: ({ args }) => `Delete ${args.webhook.join(', ')} and cancel the open deliveries?`,
  args: { webhook: { summary: 'IDs; - reads them from stdin', variadic: true, ids: true } },
  examples: ['hubline webhook delete whk_06f8xw2b3c4d5e6f7g8h9j0kmn --yes'],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Deleted webhook ${id}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return eachId(ctx, args.webhook, async (id) => {
      await client.webhooks.delete(id, ctx.request);
      return gone(id);
    });
  },
});

const enable = define({
  path: 'webhook enable',
  summary: 'Enable a webhook and send its held deliveries.',
  endpoints: ['webhooks.enable'],
  args: { webhook: { summary: 'ID' } },
  examples: ['hubline webhook enable whk_06f8xw2b3c4d5e6f7g8h9j0kmn'],
  view: webhookView,
  say: ({ id }, style) => `${style.green('✓')} Enabled webhook ${id}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return client.webhooks.enable(args.webhook, ctx.request);
  },
});

const disable = define({
  path: 'webhook disable',
  summary: 'Disable a webhook; its deliveries are held until it is enabled again.',
  endpoints: ['webhooks.update'],
  args: { webhook: { summary: 'ID' } },
  examples: ['hubline webhook disable whk_06f8xw2b3c4d5e6f7g8h9j0kmn'],
  view: webhookView,
  say: ({ id }, style) => `${style.green('✓')} Disabled webhook ${id}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return client.webhooks.update(args.webhook, { status: 'disabled' }, ctx.request);
  },
});

const rotateSecret = define({
  path: 'webhook rotate-secret',
  summary: 'Replace the signing secret. Without --secret-file, one is generated and printed once.',
  description:
    'Receivers must know both secrets before the rotation: X-Service-Signature, which @hubline/webhooks always checks, uses the new one at once, even during an overlap. So make the new secret yourself, deploy it beside the old one, and pass it with --secret-file. --overlap is for receivers that check only webhook-signature: during that time it has one signature for each secret, so that they can change over one by one.',
  endpoints: ['webhooks.rotateSecret'],
  danger: 'confirm',
  question: ({ args: { webhook }, flags: { overlap } }) =>
    overlap === undefined
      ? `Rotate the secret of ${webhook}? Receivers that know only the old one refuse calls from then on. To avoid that, make a new secret, deploy it to them first, and pass it with --secret-file.`
      : `Rotate the secret of ${webhook}? X-Service-Signature uses the new one at once, so receivers must already know both. webhook-signature covers both for ${durationText(overlap)}.`,
  args: { webhook: { summary: 'ID' } },
  flags: {
    'secret-file': { type: 'text', value: 'file|-', summary: 'New secret, from a file or stdin' },
    overlap: {
      type: 'duration',
      value: 'duration',
      summary: 'Sign with the old one as well for this long, at most 7d',
    },
  },
  examples: [
    'hubline webhook rotate-secret whk_06f8xw2b3c4d5e6f7g8h9j0kmn --overlap 24h',
    'hubline webhook rotate-secret whk_06f8xw2b3c4d5e6f7g8h9j0kmn --secret-file .hook-secret --yes',
  ],
  typed: WEBHOOK_FIELDS,
  view: rotatedSecretView,
  say: ({ id, previous_valid_until: until }, style) =>
    `${style.green('✓')} Rotated the secret of ${id}${until ? `; until ${until}, webhook-signature covers the old one as well` : ''}`,
  ifLost: ({ id }) => `Replace it again: hubline webhook rotate-secret ${shellWord(id)}`,
  async run(ctx, { args, flags: { secretFile, overlap } }) {
    const secret = secretFile === undefined ? undefined : await readSecret(ctx, secretFile, '--secret-file');
    if (secret !== undefined) await warnOfSecret(ctx, secret, 'To have one made: leave out --secret-file.');
    const client = await ctx.client();
    const overlap_seconds = overlap === undefined ? undefined : Math.ceil(overlap / 1_000);
    return client.webhooks.rotateSecret(args.webhook, { secret, overlap_seconds }, ctx.request);
  },
});

const recover = define({
  path: 'webhook recover',
  summary: 'Send missed deliveries of a webhook again. Progress: hubline recovery get <id>',
  endpoints: ['webhooks.recover'],
  danger: 'confirm',
  question: ({ args, flags: { status, since, until } }) =>
    `Send the ${status.join(' and ') || 'failed'} deliveries of ${args.webhook} since ${since}${until === undefined ? '' : ` and before ${until}`} again?`,
  args: { webhook: { summary: 'ID' } },
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
      summary: 'Deliveries with this status (server default: failed)',
    },
  },
  examples: [
    'hubline webhook recover whk_06f8xw2b3c4d5e6f7g8h9j0kmn --since 6h --yes',
    'hubline webhook recover whk_06f8xw2b3c4d5e6f7g8h9j0kmn --since 2026-01-31 --status failed --status delivered',
  ],
  view: recoveryView,
  say: ({ id }, style) => `${style.green('✓')} Recovery ${id} began`,
  next: ({ id }) => `See its progress: hubline recovery get ${shellWord(id)}`,
  async run(ctx, { args, flags: { since, until, status } }) {
    const client = await ctx.client();
    const statuses = status.length > 0 ? status : undefined;
    return client.webhooks.recover(args.webhook, { since, until, statuses }, ctx.request);
  },
});

export const commands = [
  list,
  create,
  get,
  update,
  match,
  remove,
  enable,
  disable,
  rotateSecret,
  ping,
  stats,
  recover,
] as const;
