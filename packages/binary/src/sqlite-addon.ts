import { openSync } from 'node:fs';
import { getAsset } from 'node:sea';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { loadAddon, loadFile } from './load-addon.ts';

/** The path under which the threads of this process find what its main thread has loaded. */
const LOADED = 'hubline: the loaded SQLite';

let addon: object | undefined;

/**
 * The native part of SQLite.
 *
 * A thread loads the same file as the main thread. A second copy of SQLite in one process destroys databases: it knows nothing of the locks
 * that the first one holds, ends them when it closes a file, and removes the write-ahead log as if nobody used it
 * (sqlite.org/howtocorrupt, 2.2.1).
 */
export function sqliteAddon(): object {
  return (addon ??= load());
}

function load(): object {
  const loaded = getEnvironmentData(LOADED);
  if (typeof loaded === 'string') return loadFile(loaded);
  return loadAddon({ title: 'SQLite', bytes: Buffer.from(getAsset('better_sqlite3.node')) }, (file) => {
    const first = loadFile(file);
    // An open file can be loaded again by its number after its name is gone: the system knows that it has it already.
    setEnvironmentData(LOADED, process.platform === 'linux' ? `/proc/self/fd/${openSync(file, 'r')}` : file);
    return first;
  });
}
