import type { Manifest } from '../manifest.ts';

/** A complete backup at its destination. */
export interface StoredBackup extends Manifest {
  name: string;
  /** The file, or its URL. */
  path: string;
}

/** The backups of a destination. */
export interface Stored {
  /** Newest first. */
  complete: StoredBackup[];
  /** The names of backups that were complete once, but now have a damaged manifest, or a file of another size than the manifest says. */
  damaged: string[];
}

/**
 * The destination of scheduled backups. A copy begins as a file of this machine; with its manifest it is complete. The
 * signal ends calls to remote storage: a server that stops does not wait for one that hangs.
 */
export interface Destination {
  /** Removes the unfinished copies of earlier runs of the series, and returns the file to copy the database into. */
  begin(name: string, signal: AbortSignal): Promise<string>;
  /** Completes a backup: uploads it if needed, then writes its manifest. */
  complete(name: string, manifest: Manifest, signal: AbortSignal): Promise<void>;
  /**
   * Removes an unfinished backup. After the signal it removes only the files of this machine: the next run does the
   * rest.
   */
  discard(name: string, signal: AbortSignal): Promise<void>;
  list(signal?: AbortSignal): Promise<Stored>;
  /** Copies a backup into a file of this machine, which must exist. */
  fetch(name: string, file: string): Promise<void>;
  remove(name: string, signal: AbortSignal): Promise<void>;
  pathOf(name: string): string;
}

/** Sorts by time, newest first. Names cannot serve: they begin with the series. */
export const newestFirst = (backups: StoredBackup[]): StoredBackup[] =>
  backups.sort((a, b) => (a.taken_at < b.taken_at ? 1 : a.taken_at > b.taken_at ? -1 : 0));
