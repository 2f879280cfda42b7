import { closeSync, fdatasync, openSync, readFileSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

const flush = promisify(fdatasync);

/** A file of JSON lines that says what happened even if who wrote it dies: a line that was waited for is on the disk. */
export class DurableLog {
  readonly #file: number;
  #lines: string[] = [];
  #flushing: Promise<void> | null = null;

  constructor(path: string) {
    this.#file = openSync(path, 'a', 0o600);
  }

  /** Resolves when the line is on the disk. Lines of the same moment share a flush. */
  async append(entry: object): Promise<void> {
    this.#lines.push(`${JSON.stringify(entry)}\n`);
    // A flush that is under way may have begun before this line.
    await this.#flushing;
    await (this.#flushing ??= this.#flush());
  }

  close(): void {
    closeSync(this.#file);
  }

  async #flush(): Promise<void> {
    try {
      writeSync(this.#file, this.#lines.splice(0).join(''));
      await flush(this.#file);
    } finally {
      this.#flushing = null;
    }
  }
}

/** All that a log holds. */
export function readLog<Entry>(path: string): Entry[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Entry);
}
