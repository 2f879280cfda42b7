import { closeSync, fdatasync, openSync, readFileSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

const flush = promisify(fdatasync);

/** A file of JSON lines. Once `append` resolves, the line is on the disk, even if the writer dies. */
export class DurableLog {
  readonly #file: number;
  #lines: string[] = [];
  #flushing: Promise<void> | null = null;

  constructor(path: string) {
    this.#file = openSync(path, 'a', 0o600);
  }

  /** Resolves when the line is on the disk. Concurrent lines share a flush. */
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

/** Reads all lines of a log. */
export function readLog<Entry>(path: string): Entry[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Entry);
}
