import { sql } from 'kysely';
import { LATENCY_STEPS } from '../../domain/stats/latency.ts';
import { STATS_COUNTS } from '../../domain/stats/tally.ts';

/** The columns of the histogram, in its order. */
export const LATENCY_COUNTS: readonly `latency_${number}`[] = LATENCY_STEPS.map(
  (_, step) => `latency_${step}` as const,
);

/** The columns that identify a row. */
export const STATS_KEY = ['resolution', 'at', 'workspace_id', 'webhook_id'] as const;

/** Assignments that add what a statement would insert to what is there. */
export const ADDED = Object.fromEntries(
  STATS_COUNTS.map((count) => [
    count,
    sql<number>`${sql.ref(`workspace_stats.${count}`)} + ${sql.ref(`excluded.${count}`)}`,
  ]),
);
