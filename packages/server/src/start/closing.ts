import type { Logger } from '../log/log.ts';

type Close = () => unknown;

/** Closes what a server has opened, the latest first: when it stops, and when its start fails. */
export class Closing {
  readonly #log: Pick<Logger, 'warn'>;
  readonly #opened: { name: string; close: Close }[] = [];

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log;
  }

  /** The log calls what cannot be closed by its name. */
  add(name: string, close: Close): void {
    this.#opened.push({ name, close });
  }

  /** Closes everything, one thing after the other, even if some fail. Logs each error, and then throws the first. */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (let last = this.#opened.pop(); last; last = this.#opened.pop()) {
      try {
        await last.close();
      } catch (error) {
        this.#log.warn({ err: error }, `could not close ${last.name}`);
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
