import type { ServerConfig } from '../config/config.ts';
import { type JobState, listJobs as listJobRows, retryJob as retryJobRow } from '../db/jobs.ts';
import { Fault } from '../domain/faults/fault.ts';
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

/** Lets a job begin anew: a running server takes it up within half a minute. Throws `Fault` when there is none, or it runs. */
export async function retryJob(config: ServerConfig, id: string): Promise<{ id: number }> {
  const seq = Number(id);
  // Whoever has no such job may have the wrong database: that is opened first, and refused.
  const retried = await withStorage(
    config,
    async ({ store, clock }) =>
      /^\d{1,15}$/.test(id) && store.write((tx) => retryJobRow(tx, seq, clock().getTime())),
  );
  if (!retried) throw new Fault('not_found', `There is no job ${id} to retry: it is done, or it is running.`);
  return { id: seq };
}
