// Longer than the 30 s that an attempt of a delivery may take and the time to record it, and three times the period in which the leases
// of jobs are renewed: a live process never loses one.
const LEASE_MS = 60_000;

/** The end of a lease of a delivery or job that begins at a time, both in milliseconds since the epoch. */
export const leaseEnd = (now: number): number => now + LEASE_MS;
