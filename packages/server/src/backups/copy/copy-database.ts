import { statfs, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError } from '../../config/config.ts';
import { sizeOf } from '../../system/size-of.ts';
import { startThread } from '../../system/start-thread.ts';
import type { CheckedCopy, CopyOrder, CopyResult } from './copy-and-check.ts';

/** Copies the database in its own thread. Rejects when `signal` aborts, and leaves the unfinished copy. */
export async function copyDatabase(order: CopyOrder, signal: AbortSignal): Promise<CheckedCopy> {
  signal.throwIfAborted();
  await requireRoom(order);
  const worker = startThread('copy-thread', { name: 'backup', workerData: order });
  const { promise, resolve, reject } = Promise.withResolvers<CopyResult>();
  const stop = () => reject(signal.reason);
  worker.once('message', resolve).once('error', reject);
  worker.once('exit', (code) => reject(new Error(`The backup thread ended with exit code ${code}.`)));
  signal.addEventListener('abort', stop, { once: true });
  try {
    const result = await promise;
    if ('failure' in result) throw Object.assign(new Error(result.failure), { code: result.code });
    return result.copy;
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

/** Checks the free space first: SQLite reports a full disk only after minutes, and without its name. */
async function requireRoom({ source, target }: CopyOrder): Promise<void> {
  const directory = dirname(target);
  const { bavail, bsize } = await statfs(directory);
  const { size } = await stat(source);
  if (bavail * bsize >= size) return;
  throw new ConfigError(
    `${directory} has ${sizeOf(bavail * bsize)} free, but the database has ${sizeOf(size)}. Make room, or keep fewer backups.`,
  );
}
