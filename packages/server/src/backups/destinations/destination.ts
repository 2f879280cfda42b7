import type { Manifest } from '../manifest.ts';

/** A complete backup in its place. */
export interface StoredBackup extends Manifest {
  name: string;
  /** The file, or its URL. */
  path: string;
}

/** The backups of a place. */
export interface Stored {
  /** Newest first. */
  complete: StoredBackup[];
  /** The names of those that were complete once: a manifest is there, and it is damaged or its file has another size. */
  damaged: string[];
}

/**
 * The place of scheduled backups. A copy is begun as a file of this machine; what has a manifest is complete. A signal ends the calls of a
 * storage in the network: a server that stops does not wait for one that says nothing.
 */
export interface Destination {
  /** Removes what earlier runs of a series left unfinished, and answers the file to copy the database into. */
  begin(name: string, signal: AbortSignal): Promise<string>;
  /** Completes the backup that was begun: brings it to its place if it is not there, then its manifest. */
  complete(name: string, manifest: Manifest, signal: AbortSignal): Promise<void>;
  /** Removes what was begun and not completed. After the signal it removes the files of this machine alone: the next run does the rest. */
  discard(name: string, signal: AbortSignal): Promise<void>;
  list(signal?: AbortSignal): Promise<Stored>;
  /** Copies one into a file of this machine, which is there. */
  fetch(name: string, file: string): Promise<void>;
  remove(name: string, signal: AbortSignal): Promise<void>;
  pathOf(name: string): string;
}

/** Newest first. A name begins with its series: the time decides. */
export const newestFirst = (backups: StoredBackup[]): StoredBackup[] =>
  backups.sort((a, b) => (a.taken_at < b.taken_at ? 1 : a.taken_at > b.taken_at ? -1 : 0));
