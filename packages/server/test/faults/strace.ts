import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

const STRACE = 'strace';

/**
 * Why system calls can be neither watched nor made to fail here; `null` where they can. It is a tool of Debian and others that
 * no test needs: what it shows is shown in another way, too, less directly.
 */
export async function whyNoStrace(): Promise<string | null> {
  const child = spawn(STRACE, ['-f', '-qq', '-e', 'trace=none', process.execPath, '--version'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<string | null>((resolve) => {
    child.once('error', () => resolve('strace is not installed'));
    child.once('close', (code) => resolve(code === 0 ? null : 'strace may not trace here'));
  });
  await text(child.stderr).catch(() => '');
  return ended;
}

/** Runs a program of Node's, with all of its threads, under strace. */
export function spawnTraced(
  options: readonly string[],
  program: readonly string[],
): ChildProcessByStdio<Writable, Readable, Readable> {
  return spawn(STRACE, ['-f', '-qq', '-e', 'signal=none', ...options, process.execPath, ...program], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}
