import { sql } from 'kysely';

/** Due as before; not later than now, if the clock was set back in the meantime. */
export const dueAgain = (now: number) =>
  sql<number>`case when next_attempt_at < ${now} then next_attempt_at else cast(${now} as bigint) end`;
