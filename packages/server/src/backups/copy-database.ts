import { startThread } from '../system/start-thread.ts';
import type { CheckedCopy, CopyOrder, ToldCopy } from './copy-and-check.ts';

/** Copies the database in a thread of its own. Rejects when `signal` aborts, and leaves what was begun. */
export async function copyDatabase(order: CopyOrder, signal: AbortSignal): Promise<CheckedCopy> {
  signal.throwIfAborted();
  const worker = startThread('copy-thread', { name: 'backup', workerData: order });
  const { promise, resolve, reject } = Promise.withResolvers<ToldCopy>();
  const stop = () => reject(signal.reason);
  worker.once('message', resolve).once('error', reject);
  worker.once('exit', (code) => reject(new Error(`The thread of the backup ended with ${code}.`)));
  signal.addEventListener('abort', stop, { once: true });
  try {
    const told = await promise;
    if ('failure' in told) throw new Error(told.failure);
    return told.copy;
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
