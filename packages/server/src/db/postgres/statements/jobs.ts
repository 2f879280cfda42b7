import { preparedRow } from '../../core/queries/prepared-query.ts';
import type { Tx } from '../../core/schema.ts';
import type { JobInsert } from '../../core/statements.ts';
import { leasedJob } from '../../leased-job.ts';

const insert = preparedRow<JobInsert, { seq: number }>((db, p) => leasedJob(db, p).returning('seq'));

export async function insertLeasedJob(tx: Tx, job: JobInsert): Promise<number> {
  const row = await insert(tx, job);
  if (!row) throw new Error('PostgreSQL gave no seq for a new job.');
  return row.seq;
}
