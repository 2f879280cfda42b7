import { constants } from 'node:fs';
import { copyFile, type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Destination, newestFirst, type Stored } from './destination.ts';
import { codeOf } from '../../db/core/storage-errors.ts';
import { explainBackupError } from '../explain-backup-error.ts';
import { removeAbandoned } from '../leftovers.ts';
import { backupOf, type Manifest, manifestOf, parseManifest, seriesOf } from '../manifest.ts';

/** Backups in an existing directory. A missing one is not created: it may be a disk that is not mounted. */
export class DirectoryDestination implements Destination {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = resolve(directory);
  }

  async begin(name: string): Promise<string> {
    const files = new Set(await this.#files());
    const cutOff = new Map<string, string[]>();
    for (const file of files) {
      // An unfinished copy, or its manifest: `….db.partial-…` and `….db.json.partial`.
      const [base = ''] = file.split(/(?:\.json)?\.partial/);
      const isOfSeries = seriesOf(base) !== null && seriesOf(base) === seriesOf(name);
      if (isOfSeries && !files.has(manifestOf(base)))
        cutOff.set(base, [...(cutOff.get(base) ?? []), this.pathOf(file)]);
    }
    // A server on a copy of this database may be making a backup of the same series.
    await removeAbandoned([...cutOff.values()]);
    return this.pathOf(name);
  }

  async complete(name: string, manifest: Manifest): Promise<void> {
    const file = this.pathOf(manifestOf(name));
    const partial = `${file}.partial`;
    // Never writes through a link that somebody put there.
    await rm(partial, { force: true });
    const handle = await open(partial, 'wx', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
      await handle.sync();
      // Renamed while open: another server removes partial files that no process has open.
      await rename(partial, file);
    } finally {
      await handle.close();
    }
  }

  async discard(name: string): Promise<void> {
    await this.remove(name);
    await rm(`${this.pathOf(manifestOf(name))}.partial`, { force: true });
  }

  async list(): Promise<Stored> {
    const found: Stored = { complete: [], damaged: [] };
    for (const file of await this.#files()) {
      const name = backupOf(file);
      if (name === null) continue;
      const path = this.pathOf(name);
      const text = await readIfThere(this.pathOf(file));
      if (text === null) continue;
      const manifest = parseManifest(text);
      const { size } = await stat(path).catch(() => ({ size: -1 }));
      if (manifest?.bytes === size) found.complete.push({ ...manifest, name, path });
      // If the manifest is gone by now, the backup was being removed.
      else if ((await readIfThere(this.pathOf(file))) !== null) found.damaged.push(name);
    }
    return { ...found, complete: newestFirst(found.complete) };
  }

  async fetch(name: string, file: string): Promise<void> {
    await copyFile(this.pathOf(name), file);
  }

  async remove(name: string): Promise<void> {
    // The manifest goes first: without it the rest does not count.
    await rm(this.pathOf(manifestOf(name)), { force: true });
    await rm(this.pathOf(name), { force: true });
  }

  pathOf(name: string): string {
    return join(this.#directory, name);
  }

  async #files(): Promise<string[]> {
    try {
      return await readdir(this.#directory);
    } catch (error) {
      throw explainBackupError(error, this.#directory);
    }
  }
}

/**
 * Reads a manifest that the server may have removed since it was listed. Returns `null` if it is gone, and
 * empty text, a damaged manifest, if it is not a file.
 */
async function readIfThere(path: string): Promise<string | null> {
  let handle: FileHandle;
  try {
    // Opening a pipe would block until somebody writes to it, and would keep a server from stopping.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = codeOf(error);
    // A directory on Windows, or a socket.
    if (code === 'EISDIR' || code === 'EPERM' || code === 'ENXIO') return '';
    if (code !== 'ENOENT') throw error;
    return null;
  }
  try {
    return (await handle.stat()).isFile() ? await handle.readFile('utf8') : '';
  } finally {
    await handle.close();
  }
}
