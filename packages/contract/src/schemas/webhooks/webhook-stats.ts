import { z } from 'zod';
import {
  bounds,
  cause,
  causeCounts,
  health,
  STATS_FAILURES_MAX,
  StatsQueue,
  totals,
} from '../workspaces/stats.ts';
import { StatsPoint } from '../workspaces/workspace-stats.ts';

const StatsFailure = z
  .object({
    ...cause,
    message: z
      .string()
      .nullable()
      .describe(
        'The start of the last response, or the last error, in one line; `null` for an empty response.',
      ),
    ...causeCounts,
  })
  .describe('Attempts that failed in the same way.')
  .meta({ id: 'StatsFailure' });

const WebhookStatsPoint = StatsPoint.omit({ events: true })
  .describe('One bucket of the series of a webhook.')
  .meta({ id: 'WebhookStatsPoint' });

const WebhookStatsPrevious = z
  .object(totals)
  .describe('The same numbers for the window of equal length before this one.')
  .meta({ id: 'WebhookStatsPrevious' });

/** Response of `GET /webhooks/{webhookId}/stats`. */
export const WebhookStats = z
  .object({
    webhook_id: z.string().describe('`whk_` and 26 characters.'),
    workspace_id: z.string().describe('Owning workspace.'),
    ...bounds,
    ...totals,
    previous: WebhookStatsPrevious,
    queue: StatsQueue,
    health,
    series: z
      .array(WebhookStatsPoint)
      .describe('Every bucket of the window, oldest first: 60, 96 or 168. Their sums are the totals.'),
    failures: z
      .array(StatsFailure)
      .describe(`Failed attempts by cause, most frequent first, at most ${STATS_FAILURES_MAX}.`),
  })
  .describe('Recent statistics of a webhook. They count exactly what is stored, even after a crash.')
  .meta({ id: 'WebhookStats' });
