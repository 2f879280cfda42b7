import { sql } from 'kysely';
import { STATS_COUNTS } from '../../domain/stats/tally.ts';

/** The columns that identify a row. */
export const STATS_KEY = ['resolution', 'at', 'workspace_id', 'webhook_id'] as const;

/** Assignments that add what a statement would insert to what is there. */
export const ADDED = Object.fromEntries(
  STATS_COUNTS.map((count) => [
    count,
    sql<number>`${sql.ref(`workspace_stats.${count}`)} + ${sql.ref(`excluded.${count}`)}`,
  ]),
);
