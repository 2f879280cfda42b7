import { openSync } from 'node:fs';
import { getAsset } from 'node:sea';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { loadAddon, loadFile } from './load-addon.ts';

/** The name under which threads find the path of the file that the main thread has loaded. */
const LOADED = 'hubline: the loaded SQLite';

let addon: object | undefined;

/**
 * The native part of SQLite.
 *
 * A thread loads the same file as the main thread. A second copy of SQLite in one process destroys databases: it knows nothing of the locks
 * that the first one holds, releases them when it closes a file, and removes the write-ahead log as if nobody used it
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
    // An open file can be loaded again by its descriptor after its name is removed: the system recognizes it as loaded already.
    setEnvironmentData(LOADED, process.platform === 'linux' ? `/proc/self/fd/${openSync(file, 'r')}` : file);
    return first;
  });
}
