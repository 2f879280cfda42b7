import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

// By path: the crash tests belong to the server and run its sources, whose crash points no build has.
const HARNESS = new URL('../../../server/test/crash/harness/', import.meta.url);

/** Runs a program of the crash tests, after the words of a command that starts it, and reads its report. */
export async function runHarness<Report>(
  program: 'crash' | 'upgrade',
  input: object,
  before: readonly string[] = [],
): Promise<Report> {
  const file = fileURLToPath(new URL(`${program}.process.ts`, HARNESS));
  const node = [process.execPath, '--conditions=hubline-source', file, JSON.stringify(input)];
  const words = [...before, ...node];
  const child = spawn(words[0] as string, words.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw new Error(`The ${program} tests ended with ${String(code)}.`);
  return JSON.parse(output) as Report;
}
