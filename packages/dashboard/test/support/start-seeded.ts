import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildDashboard } from '../../../../scripts/build-dashboard.ts';

/** A server in a process of its own. */
interface ServerPlace {
  readonly url: string;
  /** Ends the process as a power cut does. */
  kill(): Promise<void>;
  /** Starts it again, on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A server with the workspace `fernhill`, as `start --seed` shows it, but that nothing happens by itself. */
export interface SeededPlace extends ServerPlace {
  readonly email: string;
  readonly password: string;
  /** A personal key of the owner. */
  readonly key: string;
  readonly workspaceId: string;
}

/** A server that nobody owns yet. */
export interface EmptyPlace extends ServerPlace {
  /** The link that makes the first owner. */
  readonly setupUrl: string;
}

/** Seeds a server and starts it. */
export const startSeeded = () => start(true) as Promise<SeededPlace>;

/** Starts a server for the first time. */
export const startEmpty = () => start(false) as Promise<EmptyPlace>;

async function start(seeded: boolean): Promise<ServerPlace> {
  const data = await mkdtemp(join(tmpdir(), 'hubline-browser-'));
  const options = { dashboard: `${buildDashboard()}/`, data, seeded };
  let running = await startProcess({ ...options, port: 0 });
  const { url, ...said } = running.said;
  return {
    url,
    ...said,
    async kill() {
      running.child.kill('SIGKILL');
      await running.closed;
    },
    async restart() {
      running = await startProcess({ ...options, port: Number(new URL(url).port) });
    },
    async stop() {
      running.child.stdin.end();
      await running.closed;
      await rm(data, { recursive: true, force: true });
    },
  };
}

async function startProcess(options: object) {
  const script = join(import.meta.dirname, 'seeded-process.ts');
  const child = spawn(process.execPath, ['--conditions=hubline-source', script, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const closed = once(child, 'close');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), closed]);
  if (typeof line !== 'string') throw new Error(`The server ended with ${String(line)}.`);
  return { child, closed, said: JSON.parse(line) as { url: string } };
}
