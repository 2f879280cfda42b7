import { closeSync, openSync, readSync } from 'node:fs';

// The index of the write-ahead log says how many frames a checkpoint means to copy (byte 128, nBackfillAttempted), and how many
// it has copied (byte 96, nBackfill): https://www.sqlite.org/walformat.html#the_wal_index_file_format
const ATTEMPTED = 128;
const COPIED = 96;
const HEADER_BYTES = 136;

/** Calls `then` as soon as a checkpoint is under way; `false` if none began before the deadline. */
export async function duringCheckpoint(
  sqliteFile: string,
  deadline: number,
  then: () => void,
): Promise<boolean> {
  const index = openSync(`${sqliteFile}-shm`, 'r');
  const header = new Uint32Array(HEADER_BYTES / Uint32Array.BYTES_PER_ELEMENT);
  const word = (offset: number) => header[offset / Uint32Array.BYTES_PER_ELEMENT] ?? 0;
  try {
    while (Date.now() < deadline) {
      readSync(index, header, 0, HEADER_BYTES, 0);
      if (word(ATTEMPTED) > word(COPIED)) {
        then();
        return true;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    return false;
  } finally {
    closeSync(index);
  }
}
