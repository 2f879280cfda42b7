/**
 * A server with a world to send requests to, in its own process, which reports its memory on demand. It calls nobody:
 * no host name resolves. Run with `--expose-gc`.
 */
import { bootstrap } from '../../src/start/bootstrap.ts';
import { parseServerConfig } from '../../src/config/config.ts';
import { startTestServer } from '../../src/testing/testing.ts';
import type { Memory } from './memory.ts';
import { makeWorld } from './make-world.ts';

/** Bugs that a server could have with some URLs. A fuzzer that misses these would miss real ones. */
const MISTAKES = {
  'throws an error': () => {
    throw new TypeError('planted');
  },
  'forgets a promise': () => {
    void Promise.reject(new Error('planted'));
  },
};

/** The name of a planted bug. */
export type Mistake = keyof typeof MISTAKES;

const mistake = process.env['HUBLINE_FUZZ_MISTAKE'] as Mistake | undefined;
const server = await startTestServer({
  flags: { synchronous: 'NORMAL', rateLimit: 100_000_000, logLevel: 'error', logFormat: 'json' },
  env: { HUBLINE_CREDENTIAL_CHECK: 'skip' },
  resolve: () => Promise.reject(Object.assign(new Error('There is no such name.'), { code: 'ENOTFOUND' })),
  passwordCost: { N: 16, r: 8, p: 1 },
});
const world = await makeWorld(server, async (email) => {
  const { api_key } = await bootstrap(parseServerConfig(server.storage, {}), { email, newKey: true });
  return api_key;
});
if (mistake !== undefined) {
  const parse = URL.parse.bind(URL);
  URL.parse = (url, base) => {
    if (/example\.com|:65535/.test(url)) MISTAKES[mistake]();
    return parse(url, base);
  };
}
process.on('message', () => {
  // Garbage does not count as growth.
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ resident: rss, live: heapUsed + external } satisfies Memory);
});
process.once('SIGTERM', () => void server.stop().then(() => process.exit()));
process.once('disconnect', () => void server.stop().then(() => process.exit()));
process.send?.(world);
