import { targetWorkspace } from '../../client/target-workspace.ts';
import { define } from '../../spec/command.ts';
import { showStats, WINDOWS, workspaceStatsView } from '../../views/workspace-stats.ts';

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
      summary: 'How far back (server default: 1h)',
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
