import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../process/free-port.ts';

const BINARY = 'redis-server';
let missing: string | null | undefined;

/** Looks for Debian's Redis, and installs it where that is possible. Returns the reason why there is none, or `null`. */
export function redisMissing(): string | null {
  missing ??= has() || install() ? null : `${BINARY} is not installed (apt-get install ${BINARY})`;
  return missing;
}

function has(): boolean {
  return succeeds(BINARY, ['--version']);
}

function install(): boolean {
  return process.getuid?.() === 0 && succeeds('apt-get', ['install', '-y', '-q', BINARY]) && has();
}

function succeeds(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The policy by which Redis flushes to disk. BullMQ's documentation recommends `everysec`; `always` is as durable as a database. */
export type Fsync = 'everysec' | 'always';

/** Starts Redis on a free port. */
export async function startRedis(folder: string, fsync: Fsync) {
  const port = await freePort();
  const durability = ['--appendonly', 'yes', '--appendfsync', fsync, '--save', ''];
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...durability];
  const child: ChildProcess = spawn(BINARY, args, { stdio: 'ignore' });
  const killNow = () => void child.kill('SIGKILL');
  process.prependOnceListener('exit', killNow);
  child.once('exit', () => process.off('exit', killNow));
  const client = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => 50 });
  client.on('error', () => undefined);
  while ((await client.ping().catch(() => '')) !== 'PONG') await sleep(50);
  return {
    port,
    pid: child.pid ?? 0,
    client,
    async [Symbol.asyncDispose]() {
      client.disconnect();
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
