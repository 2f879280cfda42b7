import type { StatsFailure, WebhookStats } from '@hubline/contract/types';
import type { Screen } from '../../output/screen.ts';
import { responseLines, charts, failedText, labeled, WINDOW_FLAG } from '../../output/stats.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

const webhookStatsView = view<WebhookStats>()({
  noun: ['webhook', 'webhooks'],
  fields: [
    'webhook_id',
    'workspace_id',
    'window',
    'since',
    'until',
    'bucket_seconds',
    'attempts',
    'deliveries',
    'success_rate',
    'latency',
    'previous',
    'queue',
    'health',
    'series',
    'failures',
  ],
  columns: ['window', 'attempts.succeeded', 'attempts.failed', 'success_rate', 'latency.p95_ms'],
  id: 'webhook_id',
});

const failureView = view<StatsFailure>()({
  noun: ['cause', 'causes'],
  fields: ['response_status', 'error_kind', 'message', 'attempts', 'parts', 'first_at', 'last_at'],
  columns: [
    { path: 'response_status', header: 'STATUS' },
    { path: 'error_kind', header: 'ERROR' },
    'attempts',
    { path: 'first_at', header: 'FIRST', optional: true },
    { path: 'last_at', header: 'LAST' },
    { path: 'message', flexible: true },
  ],
  id: 'message',
});

/** The statistics on a terminal: totals, how they developed, and why attempts failed. */
function showStats(stats: WebhookStats, screen: Screen): string {
  const { attempts, failures } = stats;
  const line = labeled(screen);
  return [
    line('window', `${stats.window}, since ${stats.since}`),
    line('attempts', `${attempts.succeeded} succeeded, ${failedText(screen, attempts.failed)}`),
    responseLines(stats, screen),
    screen.unicode ? `\n${charts(stats, screen, ['succeeded', 'failed'])}` : '',
    failures.length > 0 ? `\n${screen.table(failures, failureView)}` : '',
  ].join('');
}

export const command = define({
  path: 'webhook stats',
  summary: 'Show how a webhook has responded lately, and why attempts failed.',
  description: 'Latencies are estimates, within 12%. --json has every bucket of the window.',
  endpoints: ['webhooks.stats'],
  args: { webhook: { summary: 'ID' } },
  flags: { window: WINDOW_FLAG },
  examples: [
    'hubline webhook stats whk_06f8xw2b3c4d5e6f7g8h9j0kmn --window 24h',
    "hubline webhook stats whk_06f8xw2b3c4d5e6f7g8h9j0kmn --jq '.failures[] | [.response_status, .attempts]'",
  ],
  view: webhookStatsView,
  show: showStats,
  async run(ctx, { args, flags: { window } }) {
    const client = await ctx.client();
    return client.webhooks.stats(args.webhook, { window }, ctx.request);
  },
});
