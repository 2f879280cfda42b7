/** A server in a process of its own, as the dashboard finds it: pages run in a world with `window`, servers do not. */
import { once } from 'node:events';
import { parseServerConfig, setUserPassword } from '@hubline/server';
import { startTestServer } from '@hubline/server/testing';

const {
  dashboard,
  password,
  speed = 1,
  env = {},
} = JSON.parse(process.argv[2] ?? '{}') as {
  dashboard: string;
  password: string;
  speed?: number;
  env?: Record<string, string>;
};
const began = Date.now();
// Hashes are cheap here: these tests are not about them.
const passwordCost = { N: 16, r: 8, p: 1 };
const server = await startTestServer({
  dashboard,
  env,
  passwordCost,
  ...(speed !== 1 && {
    clock: () => new Date(began + (Date.now() - began) * speed),
    monotonic: () => performance.now() * speed,
    timer: (run, ms) => {
      const timer = setTimeout(run, ms / speed);
      return () => clearTimeout(timer);
    },
  }),
});
const { url, apiKey, baseUrl, workspaceId, userId } = server;
await setUserPassword(
  parseServerConfig(server.storage, {}),
  { email: 'owner@example.com', password },
  { passwordCost },
);
process.stdout.write(`${JSON.stringify({ url, apiKey, baseUrl, workspaceId, userId })}\n`);
// Whoever started it closes this, also by being killed.
process.stdin.resume();
await once(process.stdin, 'end');
await server.stop();
