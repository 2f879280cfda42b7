import { closeSync, fsyncSync, openSync } from 'node:fs';
import { codeOf } from '../../core/storage-errors.ts';

/** The error codes of systems that cannot do it: Windows, and some network and user-space file systems. */
const UNABLE = new Set(['EPERM', 'EINVAL', 'ENOTSUP', 'EISDIR']);

/** Makes the names of the files in a directory survive a power cut, where the system can. */
export function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!UNABLE.has(codeOf(error))) throw error;
  } finally {
    closeSync(descriptor);
  }
}
