import { z } from 'zod';
import { STATS_WINDOWS } from '../statuses.ts';
import { timestamp } from '../text.ts';

/** How many webhooks statistics name. */
export const STATS_WEBHOOKS_MAX = 100;

const names = Object.keys(STATS_WINDOWS) as (keyof typeof STATS_WINDOWS)[];
const window = z.enum(names).meta({ id: 'StatsWindow', description: 'How far statistics go back.' });

/** Query of `GET /workspaces/{id}/stats`. */
export const workspaceStatsQuery = {
  window: window.default('1h').describe('How far back: `1h`, `24h` or `7d`. Default `1h`.'),
};

const count = z.int();
const rate = z.number();
const latency = z.number();
const ESTIMATED = 'in milliseconds; an estimate, within 12 %';

const StatsLatency = z
  .object({
    p50_ms: latency.describe(`Half of them were faster, ${ESTIMATED}.`),
    p95_ms: latency.describe(`95 % of them were faster, ${ESTIMATED}.`),
  })
  .describe('How long attempts that succeeded took, from DNS to the end of the answer.')
  .meta({ id: 'StatsLatency' });

const StatsPoint = z
  .object({
    at: timestamp.describe('Where the bucket begins.'),
    events: count.describe('Events stored.'),
    succeeded: count.describe('Attempts answered with a 2xx.'),
    failed: count.describe('Attempts that failed.'),
    p50_ms: latency.nullable().describe(`Median of its successes, ${ESTIMATED}; \`null\` without one.`),
    p95_ms: latency
      .nullable()
      .describe(`95th percentile of its successes, ${ESTIMATED}; \`null\` without one.`),
  })
  .describe('One bucket of the series.')
  .meta({ id: 'StatsPoint' });

const StatsWebhook = z
  .object({
    webhook_id: z.string().describe('`whk_` and 26 characters.'),
    url: z.string().describe('Where it goes.'),
    attempts: count.describe('Attempts made.'),
    failed: count.describe('Those of them that failed.'),
    failure_rate: rate.describe('Failed attempts of all its attempts, from 0 to 1.'),
    p50_ms: latency.nullable().describe(`Median of its successes, ${ESTIMATED}; \`null\` without one.`),
    p95_ms: latency
      .nullable()
      .describe(`95th percentile of its successes, ${ESTIMATED}; \`null\` without one.`),
  })
  .describe('How a webhook did.')
  .meta({ id: 'StatsWebhook' });

/** Response of `GET /workspaces/{id}/stats`. */
export const WorkspaceStats = z
  .object({
    workspace_id: z.string().describe('The workspace.'),
    window: window.describe('How far back they go.'),
    since: timestamp.describe('Where the first bucket begins.'),
    until: timestamp.describe('Now: the last bucket is still running.'),
    bucket_seconds: z.int().describe('Length of a bucket: 60 for `1h`, 900 for `24h`, 3600 for `7d`.'),
    events: count.describe('Events stored.'),
    attempts: z
      .object({
        succeeded: count.describe('Answered with a 2xx.'),
        failed: count.describe('Answered otherwise, or not at all.'),
      })
      .describe('Attempts that ended, retries, resends and test calls included.'),
    deliveries: z
      .object({
        delivered: count.describe('Became `delivered`.'),
        failed: count.describe('Became `failed`: no attempt is left.'),
      })
      .describe('Deliveries that ended.'),
    success_rate: rate
      .nullable()
      .describe('Succeeded attempts of all attempts, from 0 to 1; `null` without attempts.'),
    latency: StatsLatency.nullable().describe('How long successful attempts took; `null` without one.'),
    series: z
      .array(StatsPoint)
      .describe('Every bucket of the window, oldest first: 60, 96 or 168. Their sums are the totals.'),
    webhooks: z
      .array(StatsWebhook)
      .describe(
        `Webhooks with attempts in the window, most failures first, at most ${STATS_WEBHOOKS_MAX}. Deleted ones are in the totals only.`,
      ),
  })
  .describe(
    'What happened in a workspace lately. Counted in steps of a few seconds; a crash may lose the last of them.',
  )
  .meta({ id: 'WorkspaceStats' });
