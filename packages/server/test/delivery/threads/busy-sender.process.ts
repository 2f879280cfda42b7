/** A sender that never yields to its event loop again after its first call. */
import { type MessagePort, parentPort } from 'node:worker_threads';

const port = parentPort as MessagePort;
port.on('message', () => {
  for (;;);
});
port.postMessage('ready');
