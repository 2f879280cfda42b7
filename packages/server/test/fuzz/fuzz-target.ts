import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Mistake } from './server.process.ts';
import type { World } from './world.ts';

/** Memory of a server, in bytes. */
export interface Memory {
  /** All that is resident. V8 and the allocator keep room that was needed once. */
  resident: number;
  /** What is in use: a leak shows here first. */
  live: number;
}

/** A server to send requests to. */
export interface FuzzTarget {
  world: World;
  /** How it ended, if that is known already. */
  crash(): string | null;
  /** How it ended; `null` when it still runs. Waits for the end of one that does not answer any more. */
  ending(): Promise<string | null>;
  /** What it takes without garbage; `null` when it has ended. */
  readMemory(): Promise<Memory | null>;
  /** The newest lines of its log: errors, as JSON. */
  log(): readonly string[];
}

interface ServerOptions {
  /** A PostgreSQL server on which it gets a database of its own. Default: SQLite. */
  postgresUrl?: string | undefined;
  /** A mistake that the server makes on purpose. */
  mistake?: Mistake | undefined;
}

const PROGRAM = join(import.meta.dirname, 'server.process.ts');
// A server that has forgotten a promise ends at once; it has this long to write down why.
const ENDING_MS = 10_000;
const LINES_KEPT = 1_000;
const LINES_SHOWN = 20;

/** Starts a server in a process of its own. */
export async function startServerProcess({ postgresUrl, mistake }: ServerOptions = {}): Promise<
  FuzzTarget & AsyncDisposable
> {
  const child = fork(PROGRAM, {
    execArgv: ['--conditions=hubline-source', '--expose-gc'],
    env: { ...process.env, HUBLINE_TEST_DATABASE_URL: postgresUrl, HUBLINE_FUZZ_MISTAKE: mistake },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const lines: string[] = [];
  createInterface(child.stderr ?? process.stdin).on('line', (line) => {
    lines.push(line);
    if (lines.length > LINES_KEPT) lines.shift();
  });
  let crash: string | null = null;
  const closed = once(child, 'close').then(([code, signal]: unknown[]) => {
    return (crash = `The server ended with ${String(code ?? signal)}.\n${lines.slice(-LINES_SHOWN).join('\n')}`);
  });
  /** What it says next; `undefined` when it has ended. */
  async function answer(): Promise<unknown> {
    const waiting = new AbortController();
    const message = once(child, 'message', { signal: waiting.signal }).then(
      ([value]: unknown[]) => value,
      () => undefined,
    );
    void closed.then(() => waiting.abort());
    return message;
  }
  const world = (await answer()) as World | undefined;
  if (!world) throw new Error(crash ?? 'The server does not listen.');
  return {
    world,
    log: () => lines,
    crash: () => crash,
    async ending() {
      const running = new AbortController();
      const late = delay(ENDING_MS, null, { signal: running.signal }).catch(() => null);
      const how = await Promise.race([closed, late]);
      running.abort();
      return how;
    },
    async readMemory() {
      // Between its end and the news of it there is nobody to tell.
      if (!child.connected) return null;
      child.send('read', () => {});
      return ((await answer()) as Memory | undefined) ?? null;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}
