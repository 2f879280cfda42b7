import { closeSync, openSync, readSync } from 'node:fs';

// The index of the write-ahead log contains the goal of a checkpoint (byte 128) and its progress (byte 96):
// https://www.sqlite.org/walformat.html#the_wal_index_file_format
const MEANT = 128;
const DONE = 96;
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
      if (word(MEANT) > word(DONE)) {
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
