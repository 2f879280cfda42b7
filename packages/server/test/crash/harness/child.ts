import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { programArguments } from '../../../../../scripts/programs/programs.ts';

interface ChildOptions {
  /** The input, passed as the first argument. */
  input: object;
  /** `HUBLINE_CRASH_AT` and `HUBLINE_PLANTED_BUG` choose among the crash points and bugs. */
  env?: Record<string, string>;
  /** Another checkout, to run the program from. */
  release?: string | undefined;
}

/** Ignores the error of a request whose server died before it responded. The request may have been committed all the same. */
export function ignoreDeath(error: unknown): void {
  // The error of the test client for a broken connection.
  if (!(error instanceof TypeError)) throw error;
}

const HARNESS = 'packages/server/test/crash/harness';

// A process lives so briefly that its whole log fits. The end of the log is enough to show why the process ended.
const LOG_KEPT = 1_000_000;
const LOG_SHOWN = 8_000;

/** Runs a program of this folder in its own process, which ends with this process. */
export class Child {
  readonly #process: ChildProcess;
  #log = '';
  /** The exit code, or the signal that ended the process. */
  readonly ended: Promise<number | string>;

  constructor(
    program: 'server' | 'witness' | 'backup' | 'migrate',
    options: ChildOptions,
    onMessage: (message: never) => void = () => {},
  ) {
    const file = `${program}.process.ts`;
    const starting =
      options.release === undefined
        ? programArguments(join(import.meta.dirname, file))
        : ['--conditions=hubline-source', join(options.release, HARNESS, file)];
    this.#process = spawn(process.execPath, [...starting, JSON.stringify(options.input)], {
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#process.stderr?.on('data', (chunk: Buffer) => {
      this.#log = (this.#log + chunk.toString()).slice(-LOG_KEPT);
    });
    this.#process.on('message', (message) => onMessage(message as never));
    this.ended = once(this.#process, 'close').then(
      ([code, signal]) => (code as number | null) ?? String(signal),
    );
  }

  get running(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Its standard error. */
  get log(): string {
    return this.#log;
  }

  /** The end of its standard error. */
  get errors(): string {
    return this.#log.slice(-LOG_SHOWN);
  }

  /** Its first message; `null` if it ends before. */
  async first<Message>(): Promise<Message | null> {
    const message = once(this.#process, 'message').then(([value]) => value as Message);
    return Promise.race([message, this.ended.then(() => null)]);
  }

  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.kill(signal);
  }
}
