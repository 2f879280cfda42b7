import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { copyLive, countRows, readDatabaseInfo } from '../../db/sqlite/file/sqlite-copy.ts';

export interface CopyOrder {
  /** The database, which others may be writing to. */
  source: string;
  /** The file to make. */
  target: string;
}

/** A copy that was read as a restore would read it. */
export interface CheckedCopy {
  bytes: number;
  sha256: string;
  migrations: string[];
  fingerprint: string | null;
  rows: Record<string, number>;
}

/** The result of the thread: the copy, or the reason why there is none. */
export type CopyResult = { copy: CheckedCopy } | { failure: string; code: string };

const CHUNK_BYTES = 1024 * 1024;

/** Copies a database that is in use, checks every page of the copy, and reads it as a restore would. */
export function copyAndCheck({ source, target }: CopyOrder): CheckedCopy {
  copyLive(source, target);
  return {
    bytes: statSync(target).size,
    sha256: hashOf(target),
    ...readDatabaseInfo(target),
    rows: countRows(target),
  };
}

/** SHA-256 of a file, in hexadecimal. */
export function hashOf(file: string): string {
  const hash = createHash('sha256');
  const descriptor = openSync(file, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let read = -1; read !== 0;) {
      read = readSync(descriptor, chunk);
      hash.update(chunk.subarray(0, read));
    }
  } finally {
    closeSync(descriptor);
  }
  return hash.digest('hex');
}
