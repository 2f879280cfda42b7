import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** Runs a program of the crash tests, and reads its report. `before`: the words of a command that runs it. */
export async function runHarness<Report>(
  program: URL,
  input: object,
  before: readonly string[] = [],
): Promise<Report> {
  const file = fileURLToPath(program);
  const node = [process.execPath, '--conditions=hubline-source', file, JSON.stringify(input)];
  const words = [...before, ...node];
  const child = spawn(words[0] as string, words.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw new Error(`${file} ended with ${String(code)}.`);
  return JSON.parse(output) as Report;
}
