import type { Timer } from '../clock/timer.ts';
import type { Budgets } from '../limits/byte-budget.ts';
import type { Logger } from '../log/log.ts';
import type { DeliveryStore, LeasedDelivery } from './delivery-store.ts';
import type { Moment, Scheduler } from './scheduler/scheduler.ts';

/** The parts of the server that the engine uses. */
export interface EngineDeps {
  /** The wall clock: deliveries are due by it. */
  readonly clock: () => Date;
  readonly log: Logger;
  readonly budgets: Pick<Budgets, 'deliveries'>;
}

/** The things that the parts of the engine share, and the ways in which they call one another. */
export interface EngineParts {
  /** The name of this process on the leases that it takes now; leases under another name may be lost. `null` while it can take none. */
  owner: () => string | null;
  store: DeliveryStore;
  scheduler: Scheduler;
  now: () => Moment;
  timer: Timer;
  /** Begins an attempt with a permit that was granted for it, or returns the delivery if it may not begin any more. */
  begin: (delivery: LeasedDelivery) => void;
  /** Keeps claimed deliveries that have no permit yet in the prefetch buffer. Their leases end then or later, in milliseconds since the epoch. */
  keep: (deliveries: readonly LeasedDelivery[], leaseEnd: number) => void;
  /** Registers work that must end before the engine stops. */
  track: (work: Promise<unknown>) => void;
  /** Dispatches attempts soon, or after a number of milliseconds. */
  dispatch: (inMs?: number) => void;
}
