import { preparedChange } from '../../core/queries/prepared-query.ts';
import type { Tx } from '../../core/schema.ts';
import type { JobInsert } from '../../core/statements.ts';
import { leasedJob } from '../../leased-job.ts';

const insert = preparedChange<JobInsert>(leasedJob);

export const insertLeasedJob = async (tx: Tx, job: JobInsert): Promise<number> => (await insert(tx, job)).seq;
