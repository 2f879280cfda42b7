/**
 * A server in a process of its own, which measures itself: started by `load.test.ts`. It answers `begin` with `begun`, and `end`
 * with the cost of the time between the two.
 *
 *   node --expose-gc engine-process.ts <deadline of attempts in ms>
 */
import { startTestServer } from '../../src/testing/testing.ts';

/** The cost of a round. */
export interface Cost {
  /** The 99th percentile of the loop's work between two turns, in milliseconds of its thread's CPU time. */
  lagMs: number;
  /** The peak of the resident set, in bytes. */
  rssBytes: number;
}

const LOOK_MS = 2;
const SAMPLE_MS = 20;

const server = await startTestServer({
  flags: { synchronous: 'NORMAL', rateLimit: 10_000_000 },
  resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  attemptTimeoutMs: Number(process.argv[2]),
});
let highest = 0;
let lags: number[] = [];
let worked = 0;
const timers: NodeJS.Timeout[] = [];

/** The delay of a loop through its own work. The work of other processes on a busy machine is left out. */
function look(): void {
  const { user, system } = process.threadCpuUsage();
  lags.push((user + system - worked) / 1_000);
  worked = user + system;
}

function begin(): void {
  globalThis.gc?.();
  highest = process.memoryUsage.rss();
  look();
  lags = [];
  timers.push(
    setInterval(look, LOOK_MS),
    setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), SAMPLE_MS),
  );
}

function end(): Cost {
  for (const timer of timers.splice(0)) clearInterval(timer);
  const sorted = lags.toSorted((a, b) => a - b);
  return { lagMs: sorted[Math.floor(sorted.length * 0.99)] ?? 0, rssBytes: highest };
}

process.on('message', (message: 'begin' | 'end' | 'stop') => {
  if (message === 'begin') {
    begin();
    process.send?.('begun');
  } else if (message === 'end') process.send?.(end());
  else void server.stop().then(() => process.disconnect());
});
process.send?.({ baseUrl: server.baseUrl, apiKey: server.apiKey });
