/** A request for quota. */
export interface QuotaClaim {
  name: string;
  /** The beginning of the window, in milliseconds since the epoch. */
  windowStart: number;
  limit: number;
  /** Requests that wait for it. They get what is left. */
  waiting: number;
  /** As many as it would take at once, to spare itself the next claims: it gets at most a sixteenth of what is left. */
  wanted: number;
  /** Requests that were let through without a claim, less those that were claimed and are given back. */
  spent: number;
}

/** The answer to a request for quota. */
export interface Quota {
  granted: number;
  /** Of the whole window, by all processes; what they hold counts. */
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
  /** Takes quota for the requests of a window; `null` while nobody can say what is left. */
  takeQuota(claim: QuotaClaim): Promise<Quota | null>;
  /** Gives quota back that was granted and not used. */
  returnQuota(unused: readonly UnusedQuota[]): Promise<void>;
}
