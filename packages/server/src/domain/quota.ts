/** A request for quota. */
export interface QuotaRequest {
  name: string;
  /** The beginning of the window, in milliseconds since the epoch. */
  windowStart: number;
  limit: number;
  /** The number of requests that wait. They get what is left. */
  waiting: number;
  /** The quota wanted beyond them, to save later requests: at most a sixteenth of what is left is given. */
  wanted: number;
  /** The number of requests that were let through without quota, less the quota that is returned. */
  spent: number;
}

/** The quota that a request gets. */
export interface Quota {
  granted: number;
  /** The quota that all processes have used in the window. Quota that they hold counts as used. */
  used: number;
}

/** Quota that was granted and not used. */
export interface UnusedQuota {
  name: string;
  windowStart: number;
  held: number;
}

/** Request limits that several processes count together. */
export interface QuotaStore {
  /** Takes quota for the requests of a window; `null` while the database does not respond. */
  takeQuota(request: QuotaRequest): Promise<Quota | null>;
  /** Gives quota back that was granted and not used. */
  returnQuota(unused: readonly UnusedQuota[]): Promise<void>;
}
