import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CommandError } from '../../errors/errors.ts';
import type { Version } from '../version/version.ts';

const run = promisify(execFile);

// A start takes a second from a slow SD card; the rest is for a busy machine.
const LIMIT_MS = 60_000;

/** Runs another hubline, to check that it and its database library work here, and to learn its version. */
export async function describeProgram(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Version> {
  try {
    const { stdout } = await run(file, ['version', '--json'], {
      env: { ...env, HUBLINE_NO_UPDATE_NOTICE: '1' },
      timeout: LIMIT_MS,
      windowsHide: true,
    });
    const said = JSON.parse(stdout) as Version;
    // It is loaded late: a program may start and still have no database.
    if (said.sqlite !== null) return said;
    throw new Error('SQLite could not be loaded');
  } catch (error) {
    const { message, stderr = '' } = error as Error & { stderr?: string };
    const [reason = message] = stderr.split('\n').filter(Boolean);
    throw new CommandError(
      'unavailable',
      `${file} does not run on this machine: ${reason}.`,
      'Nothing was changed. Is it for this system? See what it needs in docs/decisions/binary.md.',
    );
  }
}
