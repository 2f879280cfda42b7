import { JOB_KINDS } from '@hubline/contract';
import { ConfigError, type ServerConfig } from '../config/config.ts';
import { type JobState, listJobs as listJobRows, retryJob as retryJobRow } from '../db/jobs.ts';
import { Fault, invalid } from '../domain/faults/fault.ts';
import { withStorage } from './storage/with-storage.ts';

/** A background job as operators see it. */
export interface JobInfo {
  id: number;
  /** The work, such as `mail`. */
  kind: string;
  /** The subject, such as the ID of an integration. */
  key: string;
  state: JobState;
  /** The number of attempts since it last made progress. */
  attempts: number;
  /** The time of the next attempt; `null` for a job that has failed or runs. */
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

/**
 * Lists the background jobs that are not done, directly from the database. Throws `ConfigError` for a kind that this
 * version does not know, unless the database has one: another version may have stored it.
 */
export async function listJobs(config: ServerConfig, filter: JobFilter = {}): Promise<JobInfo[]> {
  const { kind } = filter;
  const rows = await withStorage(config, async ({ store, clock }) => {
    const now = clock().getTime();
    const found = await listJobRows(store.read, now, filter);
    if (found.length > 0 || kind === undefined) return found;
    const known: readonly string[] = JOB_KINDS;
    if (known.includes(kind) || (await listJobRows(store.read, now, { kind })).length > 0) return found;
    throw new ConfigError(`--kind must be one of ${known.join(', ')}; "${kind}" is not one.`);
  });
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
 * Starts a failed or waiting job over, now. A running server begins it within a second. Throws `Fault` if there is
 * no such job, or it is running.
 */
export async function retryJob(config: ServerConfig, id: string): Promise<{ id: number }> {
  const seq = Number(id);
  // A wrong ID may mean a wrong database, so the database is opened, and refused if need be, before the ID is checked.
  const found = await withStorage(config, async ({ store, clock }) => {
    if (!/^[1-9]\d{0,14}$/.test(id))
      throw invalid('id', `must be the number of a job, as hubline server jobs lists them; not ${id}`);
    const now = clock().getTime();
    if (await store.write((tx) => retryJobRow(tx, seq, now))) {
      // On SQLite the server sees the commit.
      store.peers?.send({ of: 'jobs' });
      return 'retried';
    }
    const [job] = await listJobRows(store.read, now, { seq });
    return job ? 'running' : 'none';
  });
  if (found === 'none') throw new Fault('not_found', `There is no job ${id}: it is done, or never existed.`);
  if (found === 'running')
    throw new Fault(
      'conflict',
      `Job ${id} is running, or was when its server stopped: then the next start continues it.`,
    );
  return { id: seq };
}
