import { LIMITS } from '@hubline/contract';
import type { Deps } from '../../context.ts';
import { limitSchedule, moveFailures, moveSchedule, renewLeases } from '../../db/webhooks/queue/schedule.ts';
import { leaseEnd } from '../../domain/deliveries/lease.ts';

type ClockDeps = Pick<Deps, 'store' | 'clock'>;

// The longest that an attempt is ever put off is an hour, when its receiver asks for it.
const FARTHEST_MS = LIMITS.retryAfterMaxMs + 60_000;
const LONGEST_DELAY_MS = Math.max(...LIMITS.retryDelaysMs);

/**
 * Follows a wall clock that was set. Attempts under way keep their leases. A clock that was set back takes the schedule with it: a
 * retry in 5 s stays a retry in 5 s. One that was set forward does not: as far as anybody can tell, that time has passed. But
 * it does not count as time in which a webhook has failed.
 */
export async function followClock(
  { store, clock }: ClockDeps,
  { owner, jumpMs }: { owner: string; jumpMs: number },
): Promise<void> {
  const now = clock();
  await store.write(async (tx) => {
    await renewLeases(tx, owner, new Date(leaseEnd(now)).toISOString());
    // One clock that is wrong must not move what is everybody's.
    if (store.shared) return;
    if (jumpMs < 0) await moveSchedule(tx, { after: now.toISOString(), ms: jumpMs });
    await moveFailures(tx, jumpMs);
  });
}

/**
 * Corrects the schedule at a start: what is due later than anything can be was stored by a clock that was ahead. Where several
 * processes share the database, it may be this clock that is behind.
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
