import { chaos } from '#chaos';
import { randomInt } from 'node:crypto';
import { pause } from '../clock/timer.ts';
import { STORAGE_RETRY_MS } from '../clock/waits.ts';
import type { Deps } from '../context.ts';
import type { Tx } from '../db/core/schema.ts';
import { finishJob, type JobRow, returnJob } from '../db/jobs.ts';
import { maskSecrets } from '../domain/events/mask-secrets.ts';
import { ProviderUnavailable } from '../domain/faults/provider-unavailable.ts';
import { StorageUnavailable } from '../domain/faults/storage-unavailable.ts';
import { describeFailure } from '../log/describe-failure.ts';
import { workContext } from '../work-context.ts';
import { openPayload } from './enqueue.ts';
import { type JobKind, PermanentFailure } from './job-kind.ts';
import { CRASHED_AGAIN, type JobOutcome, nextJobState } from './next-state.ts';

const ERROR_CHARACTERS = 500;

/** A job of this process, with its kind. */
interface Job {
  kind: JobKind;
  row: JobRow;
}

interface RunnerContext {
  deps: Deps;
  /** Reports whether the process is about to end: then a record that failed is not retried. */
  isStopped(): boolean;
}

/** Runs a job and records the result; `true` if the job is over. */
export async function performJob(context: RunnerContext, job: Job, signal: AbortSignal): Promise<boolean> {
  const { deps } = context;
  const payload = payloadOf(deps, job);
  const outcome = payload
    ? await attempt(deps, job, { payload: payload.value, signal })
    : failure(new PermanentFailure('this version cannot read the stored payload'));
  chaos.reach('job.worked', job.kind.name);
  if (outcome.kind === 'stored') return outcome.isOver;
  const isOver = await recordAtLast(context, job, { payload, outcome });
  chaos.reach('job.recorded', job.kind.name);
  return isOver;
}

/**
 * Records the attempt of a job whose process is gone, if nobody has claimed the job since. It does not wait for a database that cannot take
 * the record: the lease ends by itself.
 */
export async function recordCrash(deps: Deps, job: Job): Promise<void> {
  const payload = payloadOf(deps, job);
  await recordAtLast({ deps, isStopped: () => true }, job, { payload, outcome: { kind: 'crashed' } });
}

interface Attempted {
  payload: { value: unknown } | null;
  outcome: JobOutcome;
}

/** Records the result of an attempt as soon as the database can take it; `true` if the job is over. */
async function recordAtLast(
  { deps, isStopped }: RunnerContext,
  job: Job,
  { payload, outcome }: Attempted,
): Promise<boolean> {
  // Work that was done must not be done again because the database could not take a record for a while.
  for (let known = payload; ;) {
    try {
      return await record(deps, job, { payload: known, outcome });
    } catch (error) {
      deps.log.error(
        { ...describeFailure(error), ...about(job.row) },
        'a job could not be recorded; trying again',
      );
      // The kind's own `failed` may throw: that must not keep the job forever.
      if (known && !(error instanceof StorageUnavailable)) {
        known = null;
        continue;
      }
      if (isStopped()) return false;
      await pause(STORAGE_RETRY_MS);
    }
  }
}

/** The payload; `null` when it was sealed with another key, or has another form. */
function payloadOf(deps: Deps, { kind, row }: Job): { value: unknown } | null {
  try {
    return { value: openPayload(deps, kind, row) };
  } catch {
    return null;
  }
}

/** Runs the handler, which may store the result of the job itself. */
async function attempt(
  deps: Deps,
  { kind, row }: Job,
  { payload, signal }: { payload: unknown; signal: AbortSignal },
): Promise<JobOutcome | { kind: 'stored'; isOver: boolean }> {
  if (signal.aborted) return { kind: 'interrupted' };
  let stored = false;
  let isOver = true;
  const finish = async (tx: Tx): Promise<boolean> => (stored = await finishJob(tx, row));
  const putOff = async (tx: Tx, inMs: number): Promise<boolean> => {
    const later = nextJobState(kind, row, {
      outcome: { kind: 'again', inMs },
      now: deps.clock().getTime(),
      random: 0,
    });
    isOver = false;
    return (stored = later !== null && (await returnJob(tx, row, later)));
  };
  try {
    const result = await kind.run(deps, payload, {
      id: idOf(row),
      attempt: row.attempts,
      signal,
      finish,
      putOff,
    });
    if (stored) return { kind: 'stored', isOver };
    return result ? { kind: 'again', inMs: result.againInMs } : { kind: 'done' };
  } catch (error) {
    if (signal.aborted) return { kind: 'interrupted' };
    // A job that fails for good is logged by `record`.
    if (!(error instanceof PermanentFailure) || kind.everyMs !== undefined)
      deps.log.warn({ ...describeFailure(error), ...about(row), attempt: row.attempts }, 'a job failed');
    return failure(error);
  }
}

async function record(deps: Deps, { kind, row }: Job, { payload, outcome }: Attempted): Promise<boolean> {
  const random = randomInt(1_000) / 1_000;
  const next = nextJobState(kind, row, { outcome, now: deps.clock().getTime(), random });
  const work = workContext(deps);
  const held = await work.write(async (tx) => {
    if (next === null) return finishJob(tx, row);
    const failed = next.failed_at !== null && payload;
    if (failed) await kind.beforeFailed?.(tx, payload.value);
    if (!(await returnJob(tx, row, next))) return false;
    if (failed) await kind.failed?.(tx, work, { payload: payload.value, reason: next.last_error ?? '' });
    return true;
  });
  if (!held) {
    // Of several processes that notice the end of another one, the first records it.
    if (outcome.kind !== 'crashed') deps.log.warn(about(row), 'another process has taken a job over');
  } else if (next?.failed_at != null) {
    const reason = (outcome.kind === 'failed' && outcome.logText) || next.last_error;
    deps.log.error(
      { ...about(row), reason },
      `a job failed and will not be retried; to run it again: hubline server retry-job ${row.seq}`,
    );
  } else if (next?.last_error === CRASHED_AGAIN) {
    deps.log.error(
      { ...about(row), reason: next.last_error },
      'a periodic job is put off for a day, because the server has crashed again and again during it; a restart begins it sooner',
    );
  }
  return next === null;
}

const about = ({ seq, kind }: JobRow) => ({ job_id: seq, kind });

/**
 * The ID of a job, which stays the same after a retry by hand. The time is part of it, because a restored database numbers its jobs
 * from the start.
 */
const idOf = ({ seq, created_at: createdAt }: JobRow) => `job-${seq}-${createdAt.toString(36)}`;

function failure(error: unknown): JobOutcome {
  const text = error instanceof Error ? error.message : String(error);
  const described = describeFailure(error instanceof PermanentFailure ? error.cause : error);
  return {
    kind: 'failed',
    reason: maskSecrets(text).slice(0, ERROR_CHARACTERS),
    permanent: error instanceof PermanentFailure,
    retryAfterMs: error instanceof ProviderUnavailable ? error.retryAfterSeconds * 1_000 : 0,
    ...('reason' in described && { logText: described.reason }),
  };
}
