import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildDashboard } from '../../../../scripts/build-dashboard.ts';
import { programArguments } from '../../../../scripts/programs/programs.ts';
import type { Order, Reply, Started, Unowned } from './server-orders.ts';

export const EMAIL = 'owner@example.com';
export const PASSWORD = 'correct horse battery';

/** The server as a test sees it. */
export interface TestServer extends Started {
  /** Advances the time of the server. */
  advance(ms: number): Promise<void>;
  stop(): Promise<void>;
}

let servers = 0;

/** A fresh server with an owner who has a password, the workspace `acme`, and the dashboard as it would be shipped. */
export async function startServer({
  env,
}: {
  /** Environment variables of the server. */
  env?: Record<string, string>;
} = {}): Promise<TestServer> {
  const { started, ...handle } = await start({ password: PASSWORD, ...(env && { env }) });
  return { ...(started as Started), ...handle };
}

/** A server that nobody owns yet. */
export async function startUnowned(): Promise<Unowned & Pick<TestServer, 'stop'>> {
  const { started, stop } = await start({});
  return { ...(started as Unowned), stop };
}

async function start(options: { password?: string; env?: Record<string, string> }) {
  const server = ++servers;
  const started = await ask({ do: 'start', server, dashboard: `${buildDashboard()}/`, ...options });
  return {
    started,
    async advance(ms: number) {
      await ask({ do: 'advance', server, ms });
    },
    async stop() {
      await ask({ do: 'stop', server });
    },
  };
}

/** One process for all servers of this worker: loading the sources takes much longer than starting a server. */
let host: ChildProcess | undefined;
let orders = 0;
const waiting = new Map<number, (reply: Reply) => void>();

async function ask(order: Order): Promise<Reply['started']> {
  const id = ++orders;
  const { promise, resolve } = Promise.withResolvers<Reply>();
  waiting.set(id, resolve);
  host ??= startHost();
  host.send({ id, order });
  const { started, error } = await promise;
  if (error !== undefined) throw new Error(error);
  return started;
}

function startHost(): ChildProcess {
  const program = join(import.meta.dirname, 'pages-process.ts');
  const child = spawn(process.execPath, programArguments(program), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  function settle(reply: Reply): void {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  }
  child.on('message', settle);
  child.on('exit', (code, signal) => {
    host = undefined;
    for (const id of waiting.keys())
      settle({ id, error: `The host of the servers ended with ${code ?? signal}.` });
  });
  return child;
}
