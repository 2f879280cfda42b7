import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Counts for the statistics, stored with what they count until they are added up. */
export const tallies: Migration = {
  name: '0006-tallies',
  async up(tx, dialect) {
    // Numbers may be reused: their order means nothing.
    const seq =
      dialect === 'postgres' ? 'bigint generated always as identity primary key' : 'integer primary key';
    await sql.raw(`create table stats_tallies (seq ${seq}, counts text not null)`).execute(tx);
  },
};
