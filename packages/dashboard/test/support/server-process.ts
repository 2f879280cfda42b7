/** Servers in a process of their own, as the dashboard finds them: pages run in a world with `window`, servers do not. */
import { parseServerConfig, setUserPassword } from '@hubline/server';
import { startTestServer, type TestServer } from '@hubline/server/testing';
import { AdvancingClock } from './advancing-clock.ts';
import type { Order, Reply, Started } from './server-orders.ts';

// Hashes are cheap here: these tests are not about them.
const passwordCost = { N: 16, r: 8, p: 1 };
const running = new Map<number, { server: TestServer; clock: AdvancingClock }>();

async function start({ server: number, dashboard, password, env = {} }: Order & { do: 'start' }) {
  const clock = new AdvancingClock();
  const { clock: now, monotonic, timer } = clock;
  const server = await startTestServer({ dashboard, env, passwordCost, clock: now, monotonic, timer });
  running.set(number, { server, clock });
  const owner = { email: 'owner@example.com', password };
  await setUserPassword(parseServerConfig(server.storage, {}), owner, { passwordCost });
  const { url, apiKey, baseUrl, workspaceId, userId } = server;
  return { url, apiKey, baseUrl, workspaceId, userId };
}

async function follow(order: Order): Promise<Started | undefined> {
  if (order.do === 'start') return start(order);
  const { server, clock } = running.get(order.server) ?? {};
  if (order.do === 'advance') clock?.advance(order.ms);
  else await server?.stop();
  return undefined;
}

const reply = (answer: Reply) => process.send?.(answer);

process.on('message', ({ id, order }: { id: number; order: Order }) => {
  follow(order).then(
    (started) => reply({ id, started }),
    (error: unknown) => reply({ id, error: String(error) }),
  );
});
// Whoever started it is gone.
process.on('disconnect', () => process.exit());
