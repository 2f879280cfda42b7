import { z } from 'zod';
import { LIMITS } from '../../constants/limits.ts';
import { STATS_WINDOWS } from '../../constants/statuses.ts';
import { timestamp } from '../../text.ts';
import { errorKind } from '../webhooks/deliveries.ts';

/** The maximum number of failure causes that statistics list. */
export const STATS_FAILURES_MAX = 20;

const names = Object.keys(STATS_WINDOWS) as (keyof typeof STATS_WINDOWS)[];
/** The window of statistics. */
const statsWindow = z.enum(names).meta({ id: 'StatsWindow', description: 'Length of the window.' });

/** Query of statistics. */
export const statsQuery = {
  window: statsWindow.default('1h').describe('Length of the window: `1h`, `24h` or `7d`. Default `1h`.'),
};

export const count = z.int();
/** A share, from 0 to 1. */
export const rate = z.number();
const latency = z.number();
const ESTIMATED = 'in milliseconds; an estimate, within 12%';

/** Attempts by outcome. */
const attempts = z
  .object({
    succeeded: count.describe('Attempts that got a 2xx.'),
    failed: count.describe('Attempts that got another status, or no response.'),
  })
  .describe('Attempts that ended, including retries, recoveries and test calls.');

/** Deliveries by outcome. */
const deliveries = z
  .object({
    delivered: count.describe('Deliveries that became `delivered`.'),
    failed: count.describe('Deliveries that became `failed`: no attempt is left.'),
  })
  .describe('Deliveries that ended.');

/** The share of attempts that succeeded. */
const successRate = rate
  .nullable()
  .describe('Successful attempts divided by all attempts, from 0 to 1; `null` without attempts.');

/** Latencies of a window. */
const StatsLatency = z
  .object({
    p50_ms: latency.describe(`Median, ${ESTIMATED}.`),
    p95_ms: latency.describe(`95th percentile, ${ESTIMATED}.`),
  })
  .describe('Duration of successful attempts, from DNS to the end of the response.')
  .meta({ id: 'StatsLatency' });

/** The latencies of a bucket or a webhook; `null` without a success. */
export const latencies = {
  p50_ms: latency
    .nullable()
    .describe(`Median duration of successful attempts, ${ESTIMATED}; \`null\` without one.`),
  p95_ms: latency
    .nullable()
    .describe(`95th percentile of the duration of successful attempts, ${ESTIMATED}; \`null\` without one.`),
};

/** The outcome of attempts in one bucket, part or window. */
export const outcomes = {
  succeeded: count.describe('Attempts that got a 2xx.'),
  failed: count.describe('Attempts that failed.'),
};

/** One part of the window of a webhook. */
const StatsPart = z
  .object({
    at: timestamp.describe('Start of the part.'),
    ...outcomes,
  })
  .describe('One part of the window.')
  .meta({ id: 'StatsPart' });

/** The window of a webhook in parts. */
export const health = z
  .array(StatsPart)
  .describe('The window in equal parts, oldest first: 20 of 3 minutes, 24 of an hour, or 24 of 7 hours.');

/** A cause of failed attempts. */
export const cause = {
  response_status: z.int().nullable().describe('The HTTP status; `null` without a response.'),
  error_kind: errorKind.nullable().describe('The error; `null` when the receiver responded.'),
};

/** The failed attempts of a cause. */
export const causeCounts = {
  attempts: count.describe('Number of attempts.'),
  parts: z.array(count).describe('Number of attempts in each part of the window, as in `health`.'),
  first_at: timestamp.describe('Time of the first such attempt in the window.'),
  last_at: timestamp.describe('Time of the last such attempt.'),
};

/** The bounds of the window. */
export const bounds = {
  window: statsWindow.describe('Length of the window.'),
  since: timestamp.describe('Start of the first bucket.'),
  until: timestamp.describe('End of the window: now. The last bucket is still open.'),
  bucket_seconds: z.int().describe('Length of a bucket: 60 for `1h`, 900 for `24h`, 3600 for `7d`.'),
};

/** The numbers of a whole window. */
export const totals = {
  attempts,
  deliveries,
  success_rate: successRate,
  latency: StatsLatency.nullable().describe('Duration of successful attempts; `null` without one.'),
};

/** Deliveries that are open now. */
export const StatsQueue = z
  .object({
    pending: count.describe('Deliveries whose first attempt has not ended.'),
    retrying: count.describe('Deliveries that wait for their next attempt.'),
    held: count.describe('Deliveries that wait until their webhook is enabled.'),
  })
  .describe(
    `Open deliveries now, without extra attempts of delivered deliveries, such as those of a recovery. Each number stops at ${LIMITS.queueCounted}.`,
  )
  .meta({ id: 'StatsQueue' });
