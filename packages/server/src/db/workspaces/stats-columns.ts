import { sql } from 'kysely';
import { STATS_COUNTS } from '../../domain/stats/tally.ts';

/** The columns that identify a row. */
export const STATS_KEY = ['resolution', 'at', 'workspace_id', 'webhook_id'] as const;

/** Assignments that add the counts of the inserted row to those of the stored row. */
export const ADDED = Object.fromEntries(
  STATS_COUNTS.map((count) => [
    count,
    sql<number>`${sql.ref(`workspace_stats.${count}`)} + ${sql.ref(`excluded.${count}`)}`,
  ]),
);
