import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAsset } from 'node:sea';
import { getSystemErrorMessage, parseArgs } from 'node:util';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** The path under which the threads of this process find what its main thread has loaded. */
const LOADED = 'hubline: the loaded SQLite';

let addon: object | undefined;

/**
 * The native part of SQLite. The system loads it from a file only, so it is written to a folder of its own, loaded, and removed: nothing
 * stays behind that somebody could change before the next start.
 *
 * A thread loads the same file. A second copy of SQLite in one process destroys databases: it knows nothing of the locks that the first
 * one holds, ends them when it closes a file, and removes the write-ahead log as if nobody used it (sqlite.org/howtocorrupt, 2.2.1).
 *
 * @throws ConfigError when none of the folders for temporary files, of the user and of the data may be written and run from.
 */
export function sqliteAddon(): object {
  return (addon ??= load());
}

function load(): object {
  const loaded = getEnvironmentData(LOADED);
  return typeof loaded === 'string' ? loadFile(loaded) : loadFirst();
}

function loadFirst(): object {
  const problems: string[] = [];
  const { XDG_RUNTIME_DIR, HUBLINE_DATA } = process.env;
  // A temporary folder may be mounted so that nothing in it may run; a container may have the data directory alone to write to.
  for (const parent of [tmpdir(), XDG_RUNTIME_DIR, homedir(), HUBLINE_DATA, givenData()]) {
    if (!parent) continue;
    try {
      return loadFrom(parent);
    } catch (error) {
      problems.push(`${parent}: ${reasonOf(error as NodeJS.ErrnoException)}`);
    }
  }
  const said = new Error(
    `SQLite could not be loaded: no folder takes a file that may run. Set TMPDIR to one that does, such as the data directory. ${problems.join('; ')}`,
  );
  // The command line knows errors by their names: this one is for the operator to mend, and is not a bug.
  said.name = 'ConfigError';
  throw said;
}

/** The data directory that the command names. */
function givenData(): string | undefined {
  const { data } = parseArgs({ options: { data: { type: 'string' } }, strict: false }).values;
  return typeof data === 'string' ? data : undefined;
}

/** The reason of an error in the words of the system, or of its loader. */
const reasonOf = ({ errno, message }: NodeJS.ErrnoException): string =>
  errno === undefined ? message : getSystemErrorMessage(errno);

function loadFrom(parent: string): object {
  const folder = mkdtempSync(join(parent, 'hubline-'));
  let stays = false;
  try {
    const file = join(folder, 'better_sqlite3.node');
    writeFileSync(file, Buffer.from(getAsset('better_sqlite3.node')), { mode: 0o600 });
    const loaded = loadFile(file);
    stays = process.platform !== 'linux';
    // An open file can be loaded again by its number after its name is gone: the system knows that it has it already.
    setEnvironmentData(LOADED, stays ? file : `/proc/self/fd/${openSync(file, 'r')}`);
    return loaded;
  } finally {
    const remove = () => {
      try {
        rmSync(folder, { recursive: true });
      } catch {
        // Windows: it is in use.
      }
    };
    if (stays) process.once('exit', remove);
    else remove();
  }
}

function loadFile(file: string): object {
  const module = { exports: {} };
  process.dlopen(module, file);
  return module.exports;
}
