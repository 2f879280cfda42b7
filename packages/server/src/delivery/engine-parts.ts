import type { DeliveryStore, LeasedDelivery } from './delivery-store.ts';
import type { Scheduler } from './scheduler/scheduler.ts';

/** The wait after a failure of the database, in milliseconds. */
export const STORAGE_RETRY_MS = 1_000;

/** The parts of the engine that its prefetcher and its claimer work with, and what they ask of the engine itself. */
export interface EngineParts {
  /** The name of this process on the leases that it takes now; leases under another name may be lost. `null` while it can take none. */
  owner: () => string | null;
  store: DeliveryStore;
  scheduler: Scheduler;
  /** Begins an attempt with a permit that was granted for it. */
  begin: (delivery: LeasedDelivery) => void;
  /** Registers work that must end before the engine stops. */
  track: (work: Promise<unknown>) => void;
  /** Dispatches attempts soon, or after a number of milliseconds. */
  dispatch: (inMs?: number) => void;
}
