/** Runs the servers of tests in a process of their own, because pages run with a global `window`, and servers do not. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseServerConfig, type ServerOverrides, setUserPassword, startServer } from '@hubline/server';
import { startTestServer } from '@hubline/server/testing';
import { hublineCommand } from '../../../../scripts/programs/programs.ts';
import { AdvancingClock } from './advancing-clock.ts';
import type { Order, Reply, Started, Unowned } from './server-orders.ts';

// Password hashes are cheap, because these tests are not about them.
const passwordCost = { N: 16, r: 8, p: 1 };
const running = new Map<number, { clock: AdvancingClock; stop: () => Promise<void> }>();

async function start(order: Order & { do: 'start' }): Promise<Started | Unowned> {
  const clock = new AdvancingClock();
  const { clock: now, monotonic, timer } = clock;
  const overrides = {
    dashboard: order.dashboard,
    passwordCost,
    clock: now,
    monotonic,
    timer,
    commandLine: { program: hublineCommand().join(' ') },
  };
  const { stop, ...started } = await (order.password === undefined
    ? startUnowned(overrides)
    : startOwned(overrides, order.password, order.env));
  running.set(order.server, { clock, stop });
  return started;
}

async function startOwned(overrides: ServerOverrides, password: string, env: Record<string, string> = {}) {
  const server = await startTestServer({ ...overrides, env });
  const owner = { email: 'owner@example.com', password };
  await setUserPassword(parseServerConfig(server.storage, {}), owner, { passwordCost });
  const { url, apiKey, baseUrl, workspaceId, userId, stop } = server;
  return { url, apiKey, baseUrl, workspaceId, userId, stop };
}

async function startUnowned(overrides: ServerOverrides) {
  const data = await mkdtemp(join(tmpdir(), 'hubline-browser-'));
  const flags = { data, port: 0, senders: 0, logLevel: 'silent', allowHttpLocalhost: true } as const;
  const server = await startServer(parseServerConfig(flags, {}), overrides);
  const stop = async () => {
    await server.stop();
    await rm(data, { recursive: true, force: true });
  };
  return { url: server.url, setupUrl: server.setupUrl ?? '', stop };
}

async function follow(order: Order): Promise<Started | Unowned | undefined> {
  if (order.do === 'start') return start(order);
  const { clock, stop } = running.get(order.server) ?? {};
  if (order.do === 'advance') clock?.advance(order.ms);
  else await stop?.();
  return undefined;
}

const reply = (message: Reply) => process.send?.(message);

process.on('message', ({ id, order }: { id: number; order: Order }) => {
  follow(order).then(
    (started) => reply({ id, started }),
    (error: unknown) => reply({ id, error: String(error) }),
  );
});
// The parent process is gone.
process.on('disconnect', () => process.exit());
