/** A sender that never lets its event loop turn again after its first call. */
import { type MessagePort, parentPort } from 'node:worker_threads';

const port = parentPort as MessagePort;
port.on('message', () => {
  for (;;);
});
port.postMessage('ready');
