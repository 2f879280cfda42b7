/** A thread for long calls that dies of its first one. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', () => {
  throw new Error('this thread dies');
});
