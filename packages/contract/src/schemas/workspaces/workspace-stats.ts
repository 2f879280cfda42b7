import { z } from 'zod';
import { timestamp } from '../../text.ts';
import {
  bounds,
  cause,
  causeCounts,
  count,
  health,
  latencies,
  outcomes,
  rate,
  STATS_FAILURES_MAX,
  StatsQueue,
  totals,
} from './stats.ts';

/** The maximum number of webhooks that statistics list. */
export const STATS_WEBHOOKS_MAX = 100;
/** The maximum number of sources that statistics list. */
export const STATS_SOURCES_MAX = 20;

/** One bucket of a chart. */
export const StatsPoint = z
  .object({
    at: timestamp.describe('Start of the bucket.'),
    events: count.describe('Number of stored events.'),
    ...outcomes,
    ...latencies,
  })
  .describe('One bucket of the series.')
  .meta({ id: 'StatsPoint' });

const StatsWebhook = z
  .object({
    webhook_id: z.string().describe('`whk_` and 26 characters.'),
    url: z.string().describe('URL of the webhook.'),
    attempts: count.describe('Number of attempts.'),
    failed: count.describe('Number of failed attempts.'),
    failure_rate: rate.describe('Failed attempts divided by all attempts, from 0 to 1.'),
    ...latencies,
    health,
  })
  .describe('Statistics of a webhook.')
  .meta({ id: 'StatsWebhook' });

const StatsWebhookFailure = z
  .object({ webhook_id: z.string().describe('`whk_` and 26 characters.'), ...cause, ...causeCounts })
  .describe('Attempts of a webhook that failed in the same way.')
  .meta({ id: 'StatsWebhookFailure' });

const StatsSource = z
  .object({
    source: z.string().describe('Source of the events, such as `github`.'),
    events: count.describe('Number of stored events.'),
  })
  .describe('Events of a source.')
  .meta({ id: 'StatsSource' });

const StatsPrevious = z
  .object({
    events: count.describe('Number of stored events.'),
    ...totals,
  })
  .describe('The same numbers for the window of equal length before this one.')
  .meta({ id: 'StatsPrevious' });

/** Response of `GET /workspaces/{id}/stats`. */
export const WorkspaceStats = z
  .object({
    workspace_id: z.string().describe('The workspace.'),
    ...bounds,
    events: count.describe('Number of stored events.'),
    ...totals,
    previous: StatsPrevious,
    queue: StatsQueue,
    sources: z
      .array(StatsSource)
      .describe(`Sources of events in the window, most events first, at most ${STATS_SOURCES_MAX}.`),
    series: z
      .array(StatsPoint)
      .describe('Every bucket of the window, oldest first: 60, 96 or 168. Their sums are the totals.'),
    webhooks: z
      .array(StatsWebhook)
      .describe(
        `Webhooks with attempts in the window, most failures first, at most ${STATS_WEBHOOKS_MAX}. Deleted ones are in the totals only.`,
      ),
    failures: z
      .array(StatsWebhookFailure)
      .describe(
        `Failed attempts by webhook and cause, most frequent first, at most ${STATS_FAILURES_MAX}. Those of deleted webhooks are left out.`,
      ),
  })
  .describe('Recent statistics of a workspace. They count exactly what is stored, even after a crash.')
  .meta({ id: 'WorkspaceStats' });
