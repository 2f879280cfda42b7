// The waits, in milliseconds, that the delivery engine and the job runner have in common.

/** After a failure of the database. */
export const STORAGE_RETRY_MS = 1_000;

/**
 * While this process has no owner name, and so can take no leases: its connection to the other processes is lost. After this wait it is
 * usually back. It is real time, whatever timer the caller uses.
 */
export const NO_OWNER_MS = 100;

/** The head start of the process that stored a delivery or job, before the others claim it. */
export const PEER_MS = 1_000;
