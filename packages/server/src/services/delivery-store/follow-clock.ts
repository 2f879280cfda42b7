import { LIMITS } from '@hubline/contract';
import type { Deps } from '../../context.ts';
import { limitSchedule, moveFailures, moveSchedule, renewLeases } from '../../db/webhooks/queue/schedule.ts';
import { leaseEnd } from '../../domain/lease.ts';
import { isoTime } from '../../domain/time.ts';

type ClockDeps = Pick<Deps, 'store' | 'clock'>;

// The longest delay of an attempt is the hour that a receiver may ask for with `Retry-After`.
const FARTHEST_MS = LIMITS.retryAfterMaxMs + 60_000;
const LONGEST_DELAY_MS = Math.max(...LIMITS.retryDelaysMs);

/**
 * Adjusts stored times after the wall clock was set. Attempts under way keep their leases. If the clock was set back, the schedule
 * moves with it: a retry in 5 s stays a retry in 5 s. If it was set forward, the schedule stays, because that time may
 * really have passed. But it does not count as time in which a webhook has failed.
 */
export async function followClock(
  { store, clock }: ClockDeps,
  { owner, jumpMs }: { owner: string; jumpMs: number },
): Promise<void> {
  const now = clock();
  await store.write(async (tx) => {
    await renewLeases(tx, owner, isoTime(leaseEnd(now.getTime())));
    // One wrong clock must not move a schedule that all processes share.
    if (store.shared) return;
    const at = now.toISOString();
    if (jumpMs < 0) await moveSchedule(tx, { owner, after: at, ms: jumpMs });
    await moveFailures(tx, { ms: jumpMs, latest: at });
  });
}

/**
 * Corrects the schedule at a start: deliveries due later than possible were stored by a clock that was ahead. Not on a
 * shared database, where this clock may be the one that is behind.
 */
export async function limitToClock({ store, clock }: ClockDeps): Promise<void> {
  if (store.shared) return;
  const now = clock().getTime();
  await store.write((tx) =>
    limitSchedule(tx, {
      farthest: new Date(now + FARTHEST_MS).toISOString(),
      instead: new Date(now + LONGEST_DELAY_MS).toISOString(),
    }),
  );
}
