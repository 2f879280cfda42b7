// Longer than the 30 s that an attempt may take and the time to record it: a live process never loses its lease.
const LEASE_MS = 60_000;

/** The end of a lease that begins at a time, both in milliseconds since the epoch. */
export const leaseEnd = (now: number): number => now + LEASE_MS;
