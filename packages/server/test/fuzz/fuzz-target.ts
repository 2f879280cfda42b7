import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Memory } from './memory.ts';
import type { Mistake } from './server.process.ts';
import type { World } from './world.ts';

/** A server to send requests to. */
export interface FuzzTarget {
  world: World;
  /** The description of its end, if that is already known. */
  crash(): string | null;
  /** The description of its end; `null` while it still runs. Waits for the end of a server that no longer responds. */
  ending(): Promise<string | null>;
  /** Its memory without garbage; `null` after its end. */
  readMemory(): Promise<Memory | null>;
  /** The newest lines of its log: errors, as JSON. */
  log(): readonly string[];
}

interface ServerOptions {
  /** A PostgreSQL server, on which the target gets its own database. Default: SQLite. */
  postgresUrl?: string | undefined;
  /** The bug to plant in the server. */
  mistake?: Mistake | undefined;
}

const PROGRAM = join(import.meta.dirname, 'server.process.ts');
// A server with an unhandled rejection ends at once; it has this long to write down why.
const ENDING_MS = 10_000;
const LINES_KEPT = 1_000;
const LINES_SHOWN = 20;

/** Starts a server in its own process. */
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
  /** Its next message; `undefined` after its end. */
  async function nextMessage(): Promise<unknown> {
    const waiting = new AbortController();
    const message = once(child, 'message', { signal: waiting.signal }).then(
      ([value]: unknown[]) => value,
      () => undefined,
    );
    void closed.then(() => waiting.abort());
    return message;
  }
  const world = (await nextMessage()) as World | undefined;
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
      // Between its end and the report of it, nobody receives the message.
      if (!child.connected) return null;
      child.send('read', () => {});
      return ((await nextMessage()) as Memory | undefined) ?? null;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}
