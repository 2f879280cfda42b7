import { getAsset } from 'node:sea';
import { zstdDecompressSync } from 'node:zlib';
import type koffi from 'koffi';
import { loadAddon, loadFile } from './load-addon.ts';

/** The number of the setting in glibc's `malloc.h`, and its value in bytes: as in the npm build. */
const [M_MMAP_THRESHOLD, BYTES] = [-3, 131_072];

/**
 * Does in this process what the npm build can do only by starting again, which would be a sixth of a start. The areas for new objects are
 * bounded by a flag inside of the file.
 */
export function boundMemory(): void {
  const { platform, env } = process;
  if (platform !== 'linux' || env['MALLOC_MMAP_THRESHOLD_'] !== undefined) return;
  const addon = { title: 'koffi', bytes: zstdDecompressSync(new Uint8Array(getAsset('koffi.node.zst'))) };
  try {
    const { load } = loadAddon(addon, loadFile) as typeof koffi;
    load(null).func('int mallopt(int, int)')(M_MMAP_THRESHOLD, BYTES);
  } catch {
    // A server needs more memory without this, and runs. Where no folder takes native code, SQLite says so.
  }
}
