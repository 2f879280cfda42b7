import { z } from 'zod';
import { STATS_WINDOWS } from '../statuses.ts';
import { timestamp } from '../text.ts';

/** How many webhooks statistics name. */
export const STATS_WEBHOOKS_MAX = 100;

const names = Object.keys(STATS_WINDOWS) as (keyof typeof STATS_WINDOWS)[];
const window = z.enum(names).meta({ id: 'StatsWindow', description: 'Length of the window.' });

/** Query of `GET /workspaces/{id}/stats`. */
export const workspaceStatsQuery = {
  window: window.default('1h').describe('Length of the window: `1h`, `24h` or `7d`. Default `1h`.'),
};

const count = z.int();
const rate = z.number();
const latency = z.number();
const ESTIMATED = 'in milliseconds; an estimate, within 12 %';

const attempts = z
  .object({
    succeeded: count.describe('Attempts answered with a 2xx.'),
    failed: count.describe('Attempts answered otherwise, or not at all.'),
  })
  .describe('Attempts that ended, including retries, recoveries and test calls.');

const deliveries = z
  .object({
    delivered: count.describe('Deliveries that became `delivered`.'),
    failed: count.describe('Deliveries that became `failed`: no attempt is left.'),
  })
  .describe('Deliveries that ended.');

const successRate = rate
  .nullable()
  .describe('Successful attempts divided by all attempts, from 0 to 1; `null` without attempts.');

const StatsLatency = z
  .object({
    p50_ms: latency.describe(`Median, ${ESTIMATED}.`),
    p95_ms: latency.describe(`95th percentile, ${ESTIMATED}.`),
  })
  .describe('Duration of successful attempts, from DNS to the end of the answer.')
  .meta({ id: 'StatsLatency' });

const StatsPoint = z
  .object({
    at: timestamp.describe('Start of the bucket.'),
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

const StatsPart = z
  .object({
    at: timestamp.describe('Start of the part.'),
    succeeded: count.describe('Attempts answered with a 2xx.'),
    failed: count.describe('Attempts that failed.'),
  })
  .describe('One part of the window.')
  .meta({ id: 'StatsPart' });

const StatsWebhook = z
  .object({
    webhook_id: z.string().describe('`whk_` and 26 characters.'),
    url: z.string().describe('URL of the webhook.'),
    attempts: count.describe('Number of attempts.'),
    failed: count.describe('Number of failed attempts.'),
    failure_rate: rate.describe('Failed attempts divided by all attempts, from 0 to 1.'),
    p50_ms: latency.nullable().describe(`Median of its successes, ${ESTIMATED}; \`null\` without one.`),
    p95_ms: latency
      .nullable()
      .describe(`95th percentile of its successes, ${ESTIMATED}; \`null\` without one.`),
    health: z
      .array(StatsPart)
      .describe('The window in equal parts, oldest first: 20 of 3 minutes, 24 of an hour, or 24 of 7 hours.'),
  })
  .describe('Statistics of a webhook.')
  .meta({ id: 'StatsWebhook' });

const StatsPrevious = z
  .object({
    events: count.describe('Number of stored events.'),
    attempts,
    deliveries,
    success_rate: successRate,
    latency: StatsLatency.nullable().describe('Duration of successful attempts; `null` without one.'),
  })
  .describe('The same numbers of the window before, of equal length, to compare with.')
  .meta({ id: 'StatsPrevious' });

/** Response of `GET /workspaces/{id}/stats`. */
export const WorkspaceStats = z
  .object({
    workspace_id: z.string().describe('The workspace.'),
    window: window.describe('Length of the window.'),
    since: timestamp.describe('Start of the first bucket.'),
    until: timestamp.describe('End of the window: now. The last bucket is still open.'),
    bucket_seconds: z.int().describe('Length of a bucket: 60 for `1h`, 900 for `24h`, 3600 for `7d`.'),
    events: count.describe('Number of stored events.'),
    attempts,
    deliveries,
    success_rate: successRate,
    latency: StatsLatency.nullable().describe('Duration of successful attempts; `null` without one.'),
    previous: StatsPrevious,
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
    'Recent statistics of a workspace. Counts are stored every few seconds; a crash may lose the last ones.',
  )
  .meta({ id: 'WorkspaceStats' });
