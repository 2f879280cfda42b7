import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

interface Surroundings {
  readonly cwd: string;
  /** Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a command to its end and returns its stdout. If it fails, throws an error with everything that it printed. */
export async function run(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, env }: Surroundings,
): Promise<string> {
  const child = spawn(file, args, { cwd, env: env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code === 0) return out;
  throw new Error(`${file} ${args.join(' ')} ended with ${code}:\n${out}${err}`);
}

/** Does a part of the rehearsal, and prints how long it took. */
export async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  return result;
}
