import { getAsset } from 'node:sea';
import { zstdDecompressSync } from 'node:zlib';
import type koffi from 'koffi';
import { loadAddon, loadFile } from './load-addon.ts';

/** The number of the setting in glibc's `malloc.h`, and its value in bytes: as in the npm build. */
const [M_MMAP_THRESHOLD, BYTES] = [-3, 131_072];

/**
 * Changes the setting in this process. The npm build has to start again for it, which takes a sixth of a start. The space for new
 * objects is bounded by a flag that is built into the file.
 */
export function boundMemory(): void {
  const { platform, env } = process;
  if (platform !== 'linux' || env['MALLOC_MMAP_THRESHOLD_'] !== undefined) return;
  const addon = { title: 'koffi', bytes: zstdDecompressSync(new Uint8Array(getAsset('koffi.node.zst'))) };
  try {
    const { load } = loadAddon(addon, loadFile) as typeof koffi;
    load(null).func('int mallopt(int, int)')(M_MMAP_THRESHOLD, BYTES);
  } catch {
    // Without this a server runs, but needs more memory. If no folder can hold native code, SQLite reports it.
  }
}
