import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { Context } from '../../context.ts';
import { CommandError } from '../../errors/errors.ts';
import type { CommandLine, ServicePlan } from './service-plan.ts';

type RunContext = Pick<Context, 'env' | 'signal'>;

/** The result of a program: the output of both streams, in order, and its exit code. */
interface Ran {
  readonly text: string;
  readonly code: number;
}

/** Runs a program of the system. Yields its output as it comes, and returns its exit code. */
export async function* passOn(
  [program, ...args]: CommandLine,
  { env, signal }: RunContext,
): AsyncGenerator<string, number> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): void => void child.kill();
  signal.addEventListener('abort', stop, { once: true });
  const both = new PassThrough({ encoding: 'utf8' });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(both, { end: false });
  const { promise: ended, resolve, reject } = Promise.withResolvers<number>();
  ended.catch(() => undefined);
  child.once('error', reject).once('close', (code) => resolve(code ?? 1));
  // The output also ends if there is no such program.
  child.once('error', () => both.end()).once('close', () => both.end());
  try {
    for await (const text of both) yield text as string;
    return await ended;
  } catch (error) {
    throw missing(error, program);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Runs a program to its end. */
export async function runProgram(line: CommandLine, ctx: RunContext): Promise<Ran> {
  const parts = passOn(line, ctx);
  let text = '';
  for (;;) {
    const { done, value } = await parts.next();
    if (done) return { text, code: value };
    text += value;
  }
}

/** Runs one program after the other, each of which must succeed. */
export async function runAll(lines: readonly CommandLine[], ctx: RunContext): Promise<void> {
  for (const line of lines) {
    const { text, code } = await runProgram(line, ctx);
    if (code === 0) continue;
    throw new CommandError(
      'unavailable',
      `${line.join(' ')} failed with exit code ${code}: ${text.trim() || 'it printed nothing'}`,
      'Fix that, and run this command again. It starts from the beginning.',
    );
  }
}

/** Runs every program, even after one that failed. Returns a sentence for each failure. */
export async function tryAll(lines: readonly CommandLine[], ctx: RunContext): Promise<string[]> {
  const failed: string[] = [];
  for (const line of lines) {
    try {
      await runAll([line], ctx);
    } catch (error) {
      if (!(error instanceof CommandError) || ctx.signal.aborted) throw error;
      failed.push(error.message);
    }
  }
  return failed;
}

/** Refuses a system whose service manager is not running, before anything is written. */
export function requireManager({ manager }: Pick<ServicePlan, 'manager'>): void {
  if (manager === undefined || existsSync(manager)) return;
  throw new CommandError(
    'unavailable',
    `systemd is not running here: there is no ${manager}.`,
    'Run hubline server start from your own init system, or prepare an image with --root DIR.',
  );
}

function missing(error: unknown, program: string): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return error;
  return new CommandError(
    'unavailable',
    `There is no program ${program}: hubline does not know the service manager of this system.`,
    'Run hubline server start from your own init system.',
  );
}
