import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAsset } from 'node:sea';

let addon: object | undefined;

/**
 * The native part of SQLite. The system loads it from a file only, so it is written to a folder of its own, loaded, and removed: nothing
 * stays behind that somebody could change before the next start. Windows keeps the file of what runs; the next start removes nothing of it.
 *
 * @throws Error when neither the temporary folder nor the home folder may be written and run from.
 */
export function sqliteAddon(): object {
  return (addon ??= load());
}

function load(): object {
  const problems: string[] = [];
  // A temporary folder may be mounted so that nothing in it may run.
  for (const parent of [tmpdir(), process.env['XDG_RUNTIME_DIR'], homedir()]) {
    if (parent === undefined) continue;
    try {
      return loadFrom(parent);
    } catch (error) {
      problems.push(`${parent}: ${(error as Error).message}`);
    }
  }
  throw new Error(
    `SQLite could not be loaded: no folder takes a file that may run. Set TMPDIR to one that does. ${problems.join('; ')}`,
  );
}

function loadFrom(parent: string): object {
  const folder = mkdtempSync(join(parent, 'hubline-'));
  try {
    const file = join(folder, 'better_sqlite3.node');
    writeFileSync(file, Buffer.from(getAsset('better_sqlite3.node')), { mode: 0o600 });
    const module = { exports: {} };
    process.dlopen(module, file);
    return module.exports;
  } finally {
    try {
      rmSync(folder, { recursive: true });
    } catch {
      // Windows: it is in use.
    }
  }
}
