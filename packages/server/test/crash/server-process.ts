import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { hublineCommand } from '../../../../scripts/programs/programs.ts';

/** `hubline server start` in its own process. */
export interface ServerProcess {
  baseUrl: string;
  kill(signal: 'SIGKILL' | 'SIGTERM'): void;
  /** The log so far. */
  log(): string;
  /** The exit code, or the signal that ended the process. */
  ended: Promise<number | string>;
}

/** Settings of the server, as environment variables. */
type Variables = Readonly<Record<string, string>>;

const UNLIMITED: Variables = { HUBLINE_RATE_LIMIT: '10000000' };

function launch(
  data: string,
  variables = UNLIMITED,
): ChildProcess & { ended: Promise<number | string>; errors: () => string } {
  const flags = ['--json', '--port', '0', '--data', data, '--allow-http-localhost'];
  const [file, ...args] = hublineCommand();
  const child = spawn(file, [...args, 'server', 'start', ...flags], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => (code as number | null) ?? (signal as string));
  return Object.assign(child, { ended, errors: () => errors });
}

/** Starts a server, and waits until it accepts requests. */
export async function startProcess(data: string, variables?: Variables): Promise<ServerProcess> {
  const child = launch(data, variables);
  if (!child.stdout) throw new Error('The process has no output.');
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    child.ended.then((code) => {
      throw new Error(`The server ended with ${code} before it listened.\n${child.errors()}`);
    }),
  ])) as [string];
  const { base_url: baseUrl } = JSON.parse(line) as { base_url: string };
  return { baseUrl, kill: (signal) => void child.kill(signal), log: child.errors, ended: child.ended };
}

/** Starts a server that must refuse to start. Returns its exit code and its error output. */
export async function startInVain(data: string): Promise<{ code: number | string; errors: string }> {
  const child = launch(data);
  return { code: await child.ended, errors: child.errors() };
}
