/**
 * A server in its own process, which measures itself: started by `load.test.ts`. It replies to `begin` with `begun`, and to `end`
 * with the cost of the time between the two.
 *
 *   node --expose-gc engine-process.ts <deadline of attempts in ms> <number of sender threads>
 */
import { once } from 'node:events';
import { BroadcastChannel } from 'node:worker_threads';
import { startTestServer } from '../../src/testing/testing.ts';
import { LoopWatch } from './loop-watch.ts';

/** The cost of a round. */
export interface Cost {
  /** The lag of the event loop by `LoopWatch`, of the main thread or of the sender's, whichever is longer. */
  lagMs: number;
  /** The peak of the resident set, in bytes. */
  rssBytes: number;
}

const SAMPLE_MS = 20;

const [deadline = 0, senders = 0] = process.argv.slice(2).map(Number);
const server = await startTestServer({
  flags: { synchronous: 'NORMAL', rateLimit: 10_000_000, senders },
  senderProgram: new URL('measured-sender.process.ts', import.meta.url),
  resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  attemptTimeoutMs: deadline,
});
const loop = new LoopWatch();
const port = new BroadcastChannel('load');
let highest = 0;
let sampling: NodeJS.Timeout | undefined;

function begin(): void {
  highest = 0;
  loop.begin();
  port.postMessage('begin');
  sampling = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), SAMPLE_MS);
}

async function end(): Promise<Cost> {
  clearInterval(sampling);
  const lagMs = loop.end();
  return { lagMs: Math.max(lagMs, senders === 0 ? 0 : await lagOfSender()), rssBytes: highest };
}

async function lagOfSender(): Promise<number> {
  const reply = once(port, 'message');
  port.postMessage('end');
  const [{ data }] = (await reply) as [{ data: number }];
  return data;
}

process.on('message', (message: 'begin' | 'end' | 'stop') => {
  if (message === 'begin') {
    begin();
    process.send?.('begun');
  } else if (message === 'end') void end().then((cost) => process.send?.(cost));
  else {
    port.close();
    void server.stop().then(() => process.disconnect());
  }
});
process.send?.({ baseUrl: server.baseUrl, apiKey: server.apiKey });
