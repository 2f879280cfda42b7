import type { StatsWebhook, StatsWebhookFailure, WorkspaceStats } from '@hubline/contract/types';
import { targetWorkspace } from '../../client/resolve.ts';
import type { Screen } from '../../output/screen.ts';
import { responseLines, charts, failedText, labeled, percent, WINDOW_FLAG } from '../../output/stats.ts';
import { duration } from '../../output/time.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

const workspaceStatsView = view<WorkspaceStats>()({
  noun: ['workspace', 'workspaces'],
  fields: [
    'workspace_id',
    'window',
    'since',
    'until',
    'bucket_seconds',
    'events',
    'attempts',
    'deliveries',
    'success_rate',
    'latency',
    'previous',
    'queue',
    'sources',
    'series',
    'webhooks',
    'failures',
  ],
  columns: [
    'window',
    'events',
    'attempts.succeeded',
    'attempts.failed',
    'success_rate',
    'latency.p50_ms',
    'latency.p95_ms',
  ],
  id: 'workspace_id',
});

const webhookView = view<StatsWebhook>()({
  noun: ['webhook', 'webhooks'],
  fields: ['webhook_id', 'url', 'attempts', 'failed', 'failure_rate', 'p50_ms', 'p95_ms', 'health'],
  columns: [
    { path: 'webhook_id', header: 'WEBHOOK' },
    { path: 'attempts', optional: true },
    'failed',
    { path: 'failure_rate', header: 'RATE', text: (rate) => percent(Number(rate)) },
    { path: 'p50_ms', header: 'P50', text: (ms) => duration(Number(ms)), optional: true },
    { path: 'p95_ms', header: 'P95', text: (ms) => duration(Number(ms)) },
    { path: 'url', flexible: true },
  ],
  id: 'webhook_id',
});

const failureView = view<StatsWebhookFailure>()({
  noun: ['cause', 'causes'],
  fields: ['webhook_id', 'response_status', 'error_kind', 'attempts', 'parts', 'first_at', 'last_at'],
  columns: [
    { path: 'webhook_id', header: 'WEBHOOK' },
    { path: 'response_status', header: 'STATUS' },
    { path: 'error_kind', header: 'ERROR' },
    'attempts',
    { path: 'first_at', header: 'FIRST', optional: true },
    { path: 'last_at', header: 'LAST', optional: true },
  ],
  id: 'webhook_id',
});

// The worst come first; for all of them there is --json.
const WEBHOOKS_SHOWN = 10;

/** The statistics on a terminal: totals, how they developed, the webhooks with the most failures, and why they failed. */
function showStats(stats: WorkspaceStats, screen: Screen): string {
  const { attempts, deliveries, failures, sources, webhooks } = stats;
  const line = labeled(screen);
  const hidden = webhooks.length - WEBHOOKS_SHOWN;
  return [
    line('window', `${stats.window}, since ${stats.since}`),
    line('events', `${stats.events}`),
    line(
      'attempts',
      `${attempts.succeeded} succeeded, ${failedText(screen, attempts.failed)}, retries included`,
    ),
    line(
      'deliveries',
      `${deliveries.delivered} delivered, ${failedText(screen, deliveries.failed)} with no attempt left`,
    ),
    responseLines(stats, screen),
    sources.length > 0 ? line('sources', sourcesText(sources)) : '',
    screen.unicode ? `\n${charts(stats, screen, ['events', 'succeeded', 'failed'])}` : '',
    webhooks.length > 0 ? `\n${screen.table(webhooks.slice(0, WEBHOOKS_SHOWN), webhookView)}` : '',
    hidden > 0 ? screen.style.dim(`and ${hidden} more: --json=webhooks\n`) : '',
    failures.length > 0 ? `\n${screen.table(failures, failureView)}` : '',
  ].join('');
}

const SOURCES_SHOWN = 5;

/** `github 48, ci 12`. */
const sourcesText = (sources: WorkspaceStats['sources']): string =>
  sources
    .slice(0, SOURCES_SHOWN)
    .map(({ source, events }) => `${source} ${events}`)
    .join(', ');

export const command = define({
  path: 'workspace stats',
  summary:
    'Show what happened lately: events, attempts, success rate, latencies, the worst webhooks, and why attempts failed.',
  description:
    'Latencies are estimates, within 12%. --json has every bucket of the window, and up to 100 webhooks, those with most failures first. To send again what failed for one cause: hubline delivery retry-all --webhook ID with --code STATUS, or with --error KIND if there was no response.',
  endpoints: ['workspaces.stats'],
  args: { workspace: { summary: 'ID or slug; default: the workspace in use', optional: true } },
  flags: {
    window: WINDOW_FLAG,
  },
  examples: [
    'hubline workspace stats --window 24h',
    "hubline workspace stats acme --jq '.webhooks[] | select(.failure_rate > 0.1) | .url'",
  ],
  view: workspaceStatsView,
  show: showStats,
  async run(ctx, { args, flags: { window } }) {
    const client = await ctx.client();
    return client.workspaces.stats(await targetWorkspace(ctx, args.workspace), { window }, ctx.request);
  },
});
