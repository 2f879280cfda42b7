import type { z } from 'zod';
import type { Deps, WorkContext } from '../context.ts';
import type { Awaitable } from '../db/core/awaitable.ts';
import type { Tx } from '../db/core/schema.ts';
import type { SetBack, StoredKindName } from '../db/jobs.ts';

/** One attempt of a job. */
export interface JobRun {
  /** The same on every attempt of this job, and on no other: a receiver can recognize a repetition by it. */
  readonly id: string;
  /** The number of this attempt, from 1, since the job last made progress. An attempt that a crash cut off counts. */
  readonly attempt: number;
  /** Aborts when the process stops or has lost the job: a handler with steps ends after the one under way. */
  readonly signal: AbortSignal;
  /**
   * Ends the job in the transaction of its last change, which saves a separate transaction. `false`: another process has
   * taken the job over, and the transaction must store nothing. Return from `run` afterward.
   */
  finish(tx: Tx): Promise<boolean>;
  /** Like `finish`, for a job that continues later: after that transaction it waits, and can be promoted. */
  putOff(tx: Tx, ms: number): Promise<boolean>;
}

/** Returned by a job that has made progress and is not done: it runs again after this many milliseconds, and its attempts count from zero. */
export interface RunAgain {
  readonly againInMs: number;
}

/**
 * A kind of durable background work. A job runs at least once: after a crash it runs again, so `run` must be safe to repeat.
 */
export interface JobKind<Payload = unknown> {
  /**
   * A name of the contract's JOB_KINDS, or an older name of one of them. The file of the kind, `…-job.ts`, and its constant, `…Job`, have the
   * name of the contract.
   */
  readonly name: StoredKindName;
  /** Checks the stored payload, which another version may have written. */
  readonly payload: z.ZodType<Payload>;
  /** True if the payload may hold a secret: it is stored sealed. */
  readonly sealed?: boolean;
  /** The number of attempts before it counts as failed. Default 10, which takes about eight hours. */
  readonly maxAttempts?: number;
  /** The number of jobs of this kind that a process runs at the same time. Default 1. */
  readonly concurrency?: number;
  /**
   * The number of further jobs that a process leases at once while many are due, so that it need not claim each by itself. Default 0: a
   * job may take long.
   */
  readonly prefetch?: number;
  /**
   * The period of a periodic job, in milliseconds: only one process runs it. Absent: the job is not periodic.
   */
  readonly everyMs?: number;
  /** The delay of the very first run, in milliseconds. Default: `everyMs`. */
  readonly firstInMs?: number;
  /** True if `run` computes the time for which the job waits: a clock that was set back makes it due at once. */
  readonly computesTime?: boolean;
  /** Moves the times that are stored beside the jobs with a clock that was set back. The jobs move afterward. */
  moveTimes?(tx: Tx, setBack: SetBack): Promise<void>;
  run(deps: Deps, payload: Payload, run: JobRun): Promise<RunAgain | void>;
  /** Takes the locks that `failed` needs, in its transaction, before the row of the job changes. */
  beforeFailed?(tx: Tx, payload: Payload): Awaitable<void>;
  /** Runs in the transaction that marks the job as failed for good. */
  failed?(tx: Tx, work: WorkContext, failure: { payload: Payload; reason: string }): Promise<void>;
}

/** Thrown by a handler if a retry would not help: the job fails at once. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure';
}

/** The part of a kind that is needed to enqueue its jobs. */
export type JobDeclaration<Payload> = Pick<JobKind<Payload>, 'name' | 'payload' | 'sealed'>;

/**
 * Declares a kind of job apart from its handler: where the handler's file imports the one that enqueues the jobs, or so that the code of
 * the handler need not be loaded. `defineJob` repeats the declaration.
 */
export const declareJob = <Payload>(job: JobDeclaration<Payload>): JobDeclaration<Payload> => job;

/** Gives a kind of job the type of its payload. */
export const defineJob = <Payload>(kind: JobKind<Payload>): JobKind<Payload> => kind;
