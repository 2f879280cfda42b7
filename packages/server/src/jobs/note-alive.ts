import { JUMP_MS } from '../clock/clock-watch.ts';
import type { Tx } from '../db/core/schema.ts';
import { dialectOf } from '../db/dialect-of.ts';
import { moveJobs, promoteJobs } from '../db/jobs.ts';
import { readMeta, writeMeta } from '../db/meta.ts';
import { leaseEnd } from '../domain/lease.ts';
import type { JobKind } from './job-kind.ts';

/** The key in `meta` of the time at which a server last ran. */
export const ALIVE_AT_META_KEY = 'alive_at';

interface Times {
  now: number;
  /** The latest time that the clock of this process has shown, if it was set back since. */
  reached?: number;
  /** Jobs that were created from this time on may have been stored after the clock was set back, and do not move. Default: none. */
  since?: number;
  kinds: Iterable<JobKind>;
}

/**
 * Records the time at which a server runs. If a later time is already recorded, the clock was ahead and has been set back: waiting jobs
 * move with it. The record lets a start find out how long no server ran; and of several processes, only the first moves the jobs.
 */
export async function noteAlive(tx: Tx, { now, reached = 0, since = now, kinds }: Times): Promise<void> {
  await dialectOf(tx).lock(tx, ALIVE_AT_META_KEY);
  const seen = Date.parse((await readMeta(tx, ALIVE_AT_META_KEY)) ?? '') || now;
  await writeMeta(tx, ALIVE_AT_META_KEY, new Date(now).toISOString());
  const aheadMs = Math.max(seen, reached) - now;
  if (aheadMs < JUMP_MS) return;
  // Another process may have renewed its leases since `now` was read.
  const setBack = { now, since, ms: -aheadMs, leasesEnd: leaseEnd(leaseEnd(now)) };
  const all = [...kinds];
  for (const kind of all) await kind.moveTimes?.(tx, setBack);
  await moveJobs(tx, setBack);
  const computed = all.filter(({ computesTime }) => computesTime).map(({ name }) => name);
  if (computed.length > 0) await promoteJobs(tx, computed, now);
}
