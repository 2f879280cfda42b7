/**
 * A server with a world to send requests to, in a process of its own, which tells its memory when it is asked. It calls nobody:
 * no name that a request brings has an address. Run with `--expose-gc`.
 */
import { bootstrap } from '../../src/start/bootstrap.ts';
import { parseServerConfig } from '../../src/config.ts';
import { startTestServer } from '../../src/testing.ts';
import type { Memory } from './fuzz-target.ts';
import { makeWorld } from './make-world.ts';

/** Mistakes that a server could make with some URLs: a fuzzer that does not notice them would not notice ours. */
const MISTAKES = {
  'throws an error': () => {
    throw new TypeError('planted');
  },
  'forgets a promise': () => {
    void Promise.reject(new Error('planted'));
  },
};

/** The name of a mistake. */
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
    if (url.includes('example.com')) MISTAKES[mistake]();
    return parse(url, base);
  };
}
process.on('message', () => {
  // What is garbage is no growth.
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ resident: rss, live: heapUsed + external } satisfies Memory);
});
process.once('SIGTERM', () => void server.stop().then(() => process.exit()));
process.once('disconnect', () => void server.stop().then(() => process.exit()));
process.send?.(world);
