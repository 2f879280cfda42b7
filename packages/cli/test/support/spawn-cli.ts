import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { hublineCommand } from '../../../../scripts/programs/programs.ts';

/** The time that a test waits for another process: a limit for a hang, because the machine may be busy. */
export const PATIENT = { timeout: 90_000 };

/** The cache of compiled sources, which saves the next process half of its start. */
const compiled = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

interface Surroundings {
  readonly cwd?: string;
  /** The user who runs it. Default: this one. */
  readonly uid?: number;
  /** A program with its arguments, which starts the command line after them. Default: none. */
  readonly within?: readonly string[];
}

/** The real program in its own process: for pipes, signals and exit codes. */
export function spawnCli(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { cwd, uid, within = [] }: Surroundings = {},
) {
  const [program = '', ...line] = [...within, ...hublineCommand(), ...argv];
  const child: ChildProcessWithoutNullStreams = spawn(program, line, {
    cwd,
    ...(uid === undefined ? {} : { uid }),
    env: {
      PATH: process.env['PATH'] ?? '',
      HUBLINE_CONFIG_DIR: '/nonexistent/hubline-test',
      HUBLINE_KEYCHAIN: 'off',
      NODE_COMPILE_CACHE: compiled,
      ...env,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const read = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (read.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (read.err += text));
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, ...read }));
  });
  return { child, read, ended };
}
