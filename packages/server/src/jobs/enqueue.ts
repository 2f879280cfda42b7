import type { Context, Deps, JobsPort } from '../context.ts';
import { promoteJob, insertJob, insertLeasedJob, type JobRow, removeIdleJob } from '../db/jobs.ts';
import type { Tx } from '../db/core/schema.ts';
import type { JobDeclaration, JobKind } from './job-kind.ts';

/** With `afterCommit` and `jobs`, the runner is woken after the commit; without them, the caller wakes it. */
type EnqueueContext = Pick<Deps, 'vault'> & {
  now: Date;
  afterCommit?: Context['afterCommit'];
  jobs?: Pick<JobsPort, 'wake'>;
};

/** A job to be done. */
interface NewJob<Payload> {
  kind: JobDeclaration<Payload>;
  /** Names its subject. While a job of this kind and key is open, another is not added. */
  key: string;
  payload: Payload;
  /** Default: now. */
  delayMs?: number;
}

/** The kind and the key of an open job, which identify it. */
type OpenJob = Pick<NewJob<never>, 'key'> & { kind: Pick<JobKind, 'name'> };

/**
 * Adds a job in the transaction of its cause: both are stored, or neither.
 * `false`: a job of this kind and key is open already.
 */
export async function enqueue<Payload>(
  tx: Tx,
  context: EnqueueContext,
  { kind, key, payload, delayMs = 0 }: NewJob<Payload>,
): Promise<boolean> {
  const now = context.now.getTime();
  const text = JSON.stringify(payload);
  const added = await insertJob(tx, {
    kind: kind.name,
    key,
    payload: kind.sealed ? context.vault.seal(text, sealContext(kind.name, key)) : text,
    due_at: now + delayMs,
    created_at: now,
  });
  if (added) wakeAfterCommit(context);
  return added;
}

/**
 * Like `enqueue`, for a kind of which one workspace may add thousands of jobs: they do not delay the jobs of other workspaces. A job with a
 * delay keeps its due time.
 */
export function enqueueFairly<Payload>(
  tx: Tx,
  context: EnqueueContext & { jobs: Pick<JobsPort, 'wake' | 'fairDueAt'> },
  { workspaceId, delayMs = 0, ...job }: NewJob<Payload> & { workspaceId: string },
): Promise<boolean> {
  const now = context.now.getTime();
  const fairDelayMs = () => context.jobs.fairDueAt(job.kind.name, workspaceId, now) - now;
  return enqueue(tx, context, { ...job, delayMs: delayMs > 0 ? delayMs : fairDelayMs() });
}

/**
 * Like `enqueue`, for a key that has never been used. Where this process has room, the job is stored with a lease and begun after the commit:
 * nobody has to claim it.
 */
export async function enqueueNew<Payload>(
  tx: Tx,
  context: Pick<Context, 'now' | 'vault' | 'afterCommit'> & { jobs: Omit<JobsPort, 'fairDueAt'> },
  job: Omit<NewJob<Payload>, 'delayMs'>,
): Promise<void> {
  const { kind, key, payload } = job;
  const lease = kind.sealed ? null : context.jobs.leaseFor(kind.name);
  if (lease === null) {
    await enqueue(tx, context, job);
    return;
  }
  const now = context.now.getTime();
  const stored = { kind: kind.name, key, payload: JSON.stringify(payload), due_at: now, created_at: now };
  const row = await insertLeasedJob(tx, stored, lease);
  context.afterCommit('begin a job', () => context.jobs.offer(row));
}

/** Removes a job; `false` if there is none, or it runs. */
export const cancel = (tx: Tx, { kind, key }: OpenJob): Promise<boolean> =>
  removeIdleJob(tx, { kind: kind.name, key });

/** Makes a waiting job due now. */
export async function promote(tx: Tx, context: EnqueueContext, { kind, key }: OpenJob): Promise<void> {
  await promoteJob(tx, { kind: kind.name, key }, context.now.getTime());
  wakeAfterCommit(context);
}

/** The payload of a stored job. Throws when it was sealed with another key, or has a form that this version does not know. */
export function openPayload<Payload>(
  { vault }: Pick<Deps, 'vault'>,
  kind: JobKind<Payload>,
  { key, payload }: Pick<JobRow, 'key' | 'payload'>,
): Payload {
  const text = kind.sealed ? vault.open(payload, sealContext(kind.name, key)) : payload;
  return kind.payload.parse(JSON.parse(text));
}

/** The context of the seal of a payload. */
export const sealContext = (kind: string, key: string) => `job:${kind}:${key}`;

function wakeAfterCommit({ afterCommit, jobs }: EnqueueContext): void {
  if (jobs) afterCommit?.('wake the job runner', jobs.wake);
}
