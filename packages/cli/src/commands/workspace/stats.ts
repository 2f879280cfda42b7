import type { StatsWebhook, StatsWindow, WorkspaceStats } from '@hubline/contract/types';
import { targetWorkspace } from '../../client/resolve.ts';
import { type Screen, sparkline } from '../../output/screen.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

/** Windows of statistics, as choices. */
const WINDOWS = ['1h', '24h', '7d'] as const satisfies readonly StatsWindow[];

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
    'series',
    'webhooks',
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

// The worst come first; for all of them there is --json.
const WEBHOOKS_SHOWN = 10;
const LABEL_WIDTH = 12;
// Beside them, the 60 minutes of an hour fit into 80 columns.
const CHART_LABEL_WIDTH = 10;
const PEAK_WIDTH = 10;

/** The statistics on a terminal: totals, how they developed, and the webhooks with the most failures. */
function showStats(stats: WorkspaceStats, screen: Screen): string {
  const { attempts, deliveries, latency, success_rate: rate, webhooks } = stats;
  const { style } = screen;
  const line = (name: string, text: string): string => `${style.dim(name.padEnd(LABEL_WIDTH))}${text}\n`;
  const failed = (count: number): string => (count > 0 ? style.red(`${count} failed`) : `${count} failed`);
  const hidden = webhooks.length - WEBHOOKS_SHOWN;
  return [
    line('window', `${stats.window}, since ${stats.since}`),
    line('events', `${stats.events}`),
    line('attempts', `${attempts.succeeded} succeeded, ${failed(attempts.failed)}`),
    line('deliveries', `${deliveries.delivered} delivered, ${failed(deliveries.failed)}`),
    line('success', rate === null ? '-' : percent(rate)),
    line(
      'latency',
      latency === null ? '-' : `p50 ${duration(latency.p50_ms)}, p95 ${duration(latency.p95_ms)}`,
    ),
    screen.unicode ? `\n${charts(stats, screen)}` : '',
    webhooks.length > 0 ? `\n${screen.table(webhooks.slice(0, WEBHOOKS_SHOWN), webhookView)}` : '',
    hidden > 0 ? style.dim(`and ${hidden} more: --json=webhooks\n`) : '',
  ].join('');
}

/** A line for each thing that was counted, with the most that a bar stands for. */
function charts({ series, bucket_seconds: seconds }: WorkspaceStats, { style, width }: Screen): string {
  const together = Math.max(1, Math.ceil(series.length / (width - CHART_LABEL_WIDTH - PEAK_WIDTH)));
  const shown = [
    ['events', (text: string) => text],
    ['succeeded', style.green],
    ['failed', style.red],
  ] as const;
  const lines = shown.map(([name, paint]) => {
    const bars = series.reduce<number[]>((sums, point, index) => {
      const bar = Math.floor(index / together);
      sums[bar] = (sums[bar] ?? 0) + point[name];
      return sums;
    }, []);
    const peak = style.dim(`  max ${Math.max(...bars)}`);
    return `${style.dim(name.padEnd(CHART_LABEL_WIDTH))}${paint(sparkline(bars))}${peak}\n`;
  });
  return `${lines.join('')}${style.dim(`${' '.repeat(CHART_LABEL_WIDTH)}${(seconds * together) / 60} min each`)}\n`;
}

/** Never 0 or 100 % where it is not exactly that. */
function percent(rate: number): string {
  const rounded = Math.min(Math.max(rate * 100, 0.01), 99.99).toFixed(2);
  return `${rate === 0 || rate === 1 ? rate * 100 : rounded} %`;
}

const duration = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);

export const command = define({
  path: 'workspace stats',
  summary: 'Show what happened lately: events, attempts, success rate, latencies, and the worst webhooks.',
  description:
    'Latencies are estimates, within 12 %. --json has every bucket of the window, and all webhooks.',
  endpoints: ['workspaces.stats'],
  args: { workspace: { summary: 'Id or slug; default: the one to act in', optional: true } },
  flags: {
    window: {
      type: 'text',
      value: 'window',
      choices: WINDOWS,
      summary: 'Period (server default: 1h)',
    },
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
