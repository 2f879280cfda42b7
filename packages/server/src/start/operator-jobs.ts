import type { ServerConfig } from '../config/config.ts';
import { type JobState, listJobs as listJobRows, retryJob as retryJobRow } from '../db/jobs.ts';
import { Fault, invalid } from '../domain/faults/fault.ts';
import { withStorage } from './with-storage.ts';

/** A background job as operators see it. */
export interface JobInfo {
  id: number;
  /** The work, such as `mail`. */
  kind: string;
  /** The subject, such as the id of an integration. */
  key: string;
  state: JobState;
  /** The number of tries since it last made progress. */
  attempts: number;
  /** The time of the next try; `null` when it failed or runs. */
  due_at: string | null;
  last_error: string | null;
  created_at: string;
  failed_at: string | null;
}

/** The jobs to show. Default: all. */
export interface JobFilter {
  kind?: string | undefined;
  state?: JobState | undefined;
}

/** The background jobs that are not done, straight from the database. */
export async function listJobs(config: ServerConfig, filter: JobFilter = {}): Promise<JobInfo[]> {
  const rows = await withStorage(config, ({ store, clock }) =>
    listJobRows(store.read, clock().getTime(), filter),
  );
  return rows.map(
    ({ seq: id, lease_owner: _, created_at: made, failed_at: failed, due_at: due, ...row }) => ({
      id,
      ...row,
      due_at: row.state === 'failed' || row.state === 'running' ? null : new Date(due).toISOString(),
      created_at: new Date(made).toISOString(),
      failed_at: failed === null ? null : new Date(failed).toISOString(),
    }),
  );
}

/**
 * Lets a job begin anew, now: one that has failed, or that waits for its time. A running server takes it up within half a minute. Throws
 * `Fault` when there is none, or it runs.
 */
export async function retryJob(config: ServerConfig, id: string): Promise<{ id: number }> {
  const seq = Number(id);
  // Whoever has no such job may have the wrong database: that is opened first, and refused.
  const found = await withStorage(config, async ({ store, clock }) => {
    if (!/^\d{1,15}$/.test(id))
      throw invalid('id', `must be the number of a job, as hubline server jobs lists them; not ${id}`);
    const now = clock().getTime();
    if (await store.write((tx) => retryJobRow(tx, seq, now))) return 'retried';
    const [job] = await listJobRows(store.read, now, { seq });
    return job ? 'running' : 'none';
  });
  if (found === 'none') throw new Fault('not_found', `There is no job ${id}: it is done, or never was.`);
  if (found === 'running')
    throw new Fault(
      'conflict',
      `Job ${id} is running, or was when its server stopped: then the next start goes on with it.`,
    );
  return { id: seq };
}
