/** A sender that never lets its event loop turn again after its first call. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', () => {
  for (;;);
});
parentPort?.postMessage('ready');
