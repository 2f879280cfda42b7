import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

const STRACE = 'strace';

/**
 * The reason why system calls can be neither watched nor made to fail here; `null` if they can. strace is a package of
 * Debian and others. Without it, these tests are skipped, and others show the same less directly.
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

/** Runs a Node program, with all of its threads, under strace. */
export function spawnTraced(
  options: readonly string[],
  program: readonly string[],
): ChildProcessByStdio<Writable, Readable, Readable> {
  return spawn(
    STRACE,
    ['-f', '--seccomp-bpf', '-qq', '-e', 'signal=none', ...options, process.execPath, ...program],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
}
