import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CommandError } from '../../errors/errors.ts';
import { fileReason } from '../../errors/file-error.ts';
import type { Version } from '../version/version.ts';

const run = promisify(execFile);

// A start takes a second from a slow SD card; the rest is for a busy machine.
const LIMIT_MS = 60_000;

const FOREIGN = 'Is it for this system? See what it needs in docs/decisions/binary.md.';

/** Runs another hubline, to check that it and its database library work here, and to learn its version. */
export async function describeProgram(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  cure: string = FOREIGN,
): Promise<Version> {
  try {
    const { stdout } = await run(file, ['version', '--json'], {
      env: { ...env, HUBLINE_NO_UPDATE_NOTICE: '1' },
      timeout: LIMIT_MS,
      windowsHide: true,
    });
    const said = parseVersion(stdout);
    if (said === null) throw new Error('it does not say its version');
    // It is loaded late: a program may start and still have no database.
    if (said.sqlite !== null) return said;
    throw new Error('SQLite could not be loaded');
  } catch (error) {
    throw new CommandError(
      'unavailable',
      `${file} does not run on this machine: ${reasonOf(error as Failure)}.`,
      `Nothing was changed. ${cure}`,
    );
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
  const { code, signal, killed, stderr = '', message } = failure;
  const [said] = stderr.split('\n').filter(Boolean);
  if (killed === true) return `it gave no answer within ${LIMIT_MS / 1000} s`;
  if (said !== undefined) return said.replace(/\.$/, '');
  if (typeof code === 'number') return `it ended with exit code ${code} and said nothing`;
  if (typeof signal === 'string') return `it was ended by ${signal} and said nothing`;
  return typeof code === 'string' ? fileReason(failure) : message;
}
