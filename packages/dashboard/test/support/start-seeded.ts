import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lastingPort } from '../../../../scripts/programs/lasting-port.ts';
import { programArguments } from '../../../../scripts/programs/programs.ts';
import { buildDashboard } from '../../../../scripts/build-dashboard.ts';

/** A server with the workspace `fernhill`, as `start --seed` shows it, but without activity of its own; in its own process. */
export interface SeededServer {
  readonly url: string;
  readonly email: string;
  readonly password: string;
  /** A personal key of the owner. */
  readonly key: string;
  readonly workspaceId: string;
  /** Ends the process as a power cut does. */
  kill(): Promise<void>;
  /** Starts it again, on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Seeds a server and starts it. */
export async function startSeeded(): Promise<SeededServer> {
  const data = await mkdtemp(join(tmpdir(), 'hubline-browser-'));
  const options = { dashboard: `${buildDashboard()}/`, data, port: await lastingPort() };
  let running = await startProcess(options);
  const { said } = running;
  return {
    ...said,
    async kill() {
      running.child.kill('SIGKILL');
      await running.closed;
    },
    async restart() {
      running = await startProcess(options);
    },
    async stop() {
      running.child.stdin.end();
      await running.closed;
      await rm(data, { recursive: true, force: true });
    },
  };
}

type Said = Pick<SeededServer, 'url' | 'email' | 'password' | 'key' | 'workspaceId'>;

async function startProcess(options: object) {
  const script = join(import.meta.dirname, 'seeded-process.ts');
  const child = spawn(process.execPath, [...programArguments(script), JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const closed = once(child, 'close');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), closed]);
  if (typeof line !== 'string') throw new Error(`The server ended with ${String(line)}.`);
  return { child, closed, said: JSON.parse(line) as Said };
}
