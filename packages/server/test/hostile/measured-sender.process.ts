/** A sender thread that measures its loop between `begin` and `end` of `engine-process.ts`, and replies to `end` with the lag. */
import { BroadcastChannel } from 'node:worker_threads';
import { LoopWatch } from './loop-watch.ts';

const loop = new LoopWatch();
const port = new BroadcastChannel('load').unref();
port.addEventListener('message', (event) => {
  const { data } = event as unknown as { data: 'begin' | 'end' };
  if (data === 'begin') loop.begin();
  else port.postMessage(loop.end());
});

await import('../../src/delivery/senders/sender-thread.ts');
