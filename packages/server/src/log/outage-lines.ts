import { StorageUnavailable } from '../domain/faults/storage-unavailable.ts';

const QUIET_MS = 60_000;
// Messages are constants, but what a database says may name an address or a file.
const LINES_MAX = 100;

/**
 * Keeps an outage of the database from filling the log, perhaps on the disk that is full: work that is tried again every second would
 * log the same line each time. It is logged at once, and then once a minute, with the number of those omitted in between. A line
 * that names a request, a delivery or a job is never left out.
 */
export class OutageLines {
  readonly #now: () => number;
  readonly #logged = new Map<string, { at: number; omitted: number }>();

  /** `now` is in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the fields of a line; `null` if it is left out. */
  fieldsOf(fields: object, message: string): object | null {
    const { err, ...others } = fields as { err?: unknown };
    if (!(err instanceof StorageUnavailable) || Object.keys(others).length > 0) return fields;
    const { cause } = err;
    const line = `${message} ${cause instanceof Error ? cause.message : ''}`;
    const last = this.#logged.get(line);
    const at = this.#now();
    if (last && at - last.at < QUIET_MS) {
      last.omitted += 1;
      return null;
    }
    if (this.#logged.size >= LINES_MAX) this.#logged.clear();
    this.#logged.set(line, { at, omitted: 0 });
    return last && last.omitted > 0 ? { ...fields, omitted: last.omitted } : fields;
  }
}
