import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Context } from '../../context.ts';
import { CommandError } from '../../errors/errors.ts';
import { fileReason } from '../../errors/file-error.ts';
import { docsUrl } from '../../about.ts';
import type { Version } from '../version/version.ts';

const run = promisify(execFile);

const FOREIGN = `Is it for this system? See what it needs: ${docsUrl('guides/self-hosting.md#one-machine')}`;

/** The code of a program that was ended because it printed too much. */
const TOO_MUCH = 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';

/**
 * Runs another hubline, to check that it and its database library work here, and to learn its version. It is killed when it takes longer
 * than a request may: from a slow SD card, a start takes a second.
 */
export async function describeProgram(ctx: Context, file: string, cure: string = FOREIGN): Promise<Version> {
  const { timeout } = await ctx.limits();
  ctx.progress.wait(`trying ${file}`);
  try {
    const { stdout } = await run(file, ['version', '--json'], {
      env: { ...ctx.env, HUBLINE_NO_UPDATE_NOTICE: '1' },
      signal: ctx.signal,
      timeout,
      // A program that hangs may ignore every other signal.
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    const said = parseVersion(stdout);
    if (said === null) throw new Error('it does not say its version');
    // SQLite is loaded late: a program may start and still have no database.
    if (said.sqlite !== null) return said;
    throw new Error('SQLite could not be loaded');
  } catch (error) {
    if (ctx.signal.aborted) throw ctx.signal.reason;
    const failure = error as Failure;
    const late = failure.killed === true && failure.code !== TOO_MUCH;
    throw new CommandError(
      'unavailable',
      late
        ? `${file} was tried and did not respond within ${timeout / 1000} s.`
        : `${file} does not run on this machine: ${reasonOf(failure)}.`,
      `Nothing was changed. ${late ? 'Try again, or allow more time with --timeout.' : cure}`,
    );
  } finally {
    ctx.progress.clear();
  }
}

function parseVersion(text: string): Version | null {
  try {
    const said = JSON.parse(text) as Partial<Version> | null;
    return typeof said?.version === 'string' ? (said as Version) : null;
  } catch {
    return null;
  }
}

/** An error of `execFile`: `code` is the exit code of a program that ran, or the system's reason why it could not be started. */
interface Failure extends Error {
  readonly code?: number | string | null;
  readonly signal?: string | null;
  readonly killed?: boolean;
  readonly stderr?: string;
}

function reasonOf(failure: Failure): string {
  const { code, signal, stderr = '', message } = failure;
  const [said] = stderr.split('\n').filter(Boolean);
  if (code === TOO_MUCH) return 'it does not say its version';
  if (said !== undefined) return said.replace(/\.$/, '');
  if (typeof code === 'number') return `it ended with exit code ${code} and printed nothing`;
  if (typeof signal === 'string') return `it was ended by ${signal} and printed nothing`;
  return typeof code === 'string' ? fileReason(failure) : message;
}
