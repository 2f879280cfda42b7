import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import type { Keychain } from '../config/keychain.ts';
import type { OneFile } from '../host.ts';
import { runLine } from '../process.ts';
import type { Pager } from '../terminal/pager.ts';
import type { Prompter } from '../terminal/prompter.ts';
import { testIo, type TestIo } from './test-io.ts';

/** The result of a command line. */
export interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly tty?: boolean;
  readonly stdin?: string;
  readonly columns?: number;
  /** Instead of streams made from `tty`, `stdin` and `columns`. */
  readonly io?: TestIo;
  readonly now?: number;
  /** Instead of `now`: a clock that advances. */
  readonly clock?: () => number;
  /** Default: `hubline`. */
  readonly program?: string;
  readonly signal?: AbortSignal;
  readonly cwd?: string;
  /** Default: none, as with npm. */
  readonly oneFile?: OneFile;
  /** Gets the command lines that were started in the background. */
  readonly background?: (readonly string[])[];
  /** Default: a directory of the test file. */
  readonly systemRoot?: string;
  /** Default: none. */
  readonly cache?: string;
  /** Default: none, so that no test reaches the keychain of the user who runs it. */
  readonly keychain?: Keychain;
  /** Default: there is none. */
  readonly pager?: (command: string) => Pager | null;
  /** Answers to prompts, in their order; a question too many fails. */
  readonly answers?: readonly (string | boolean)[];
  /** Gets the questions that were asked. */
  readonly asked?: string[];
}

let home = '';

/**
 * Gives the tests of a file their own home. Nothing that a test does by mistake reaches the configuration or the data of the user
 * who runs it, or of another file in the same process.
 */
export async function useNewHome(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-cli-home-'));
  home = directory;
  afterAll(() => rm(directory, { recursive: true, force: true }));
}

/** Runs a command line in this process, in its own environment. */
export async function runCli(argv: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const { tty = false, stdin = '', columns = 80, answers = [] } = options;
  const io = options.io ?? testIo({ tty, stdin, columns });
  const prompter = scripted(answers, options.asked ?? []);
  const code = await runLine(argv, {
    io,
    program: options.program ?? 'hubline',
    programAnywhere: options.program ?? 'hubline',
    env: { HUBLINE_CONFIG_DIR: join(home, 'config'), HUBLINE_DATA: join(home, 'data'), ...options.env },
    now: options.clock ?? (() => options.now ?? Date.now()),
    signal: options.signal ?? new AbortController().signal,
    absolute: (path) => resolve(options.cwd ?? home, path),
    oneFile: options.oneFile,
    startInBackground: (line) => void options.background?.push(line),
    // No test changes the machine of the user who runs it.
    systemRoot: options.systemRoot ?? join(home, 'system'),
    cache: options.cache,
    // Vitest has its own listeners.
    onUnhandled: () => undefined,
    blocking: (work) => work(),
    keychain: async () => options.keychain ?? null,
    pager: async (command) => options.pager?.(command) ?? null,
    prompter: async () => prompter,
  });
  return { code, out: io.out(), err: io.err() };
}

function scripted(answers: readonly (string | boolean)[], asked: string[]): Prompter {
  const left = [...answers];
  const next = (question: string): string | boolean => {
    asked.push(question);
    const answer = left.shift();
    if (answer === undefined) throw new Error(`The test has no answer to: ${question}`);
    return answer;
  };
  return {
    confirm: async (question) => next(question) === true,
    text: async (question, check) => {
      const answer = String(next(question));
      // A person would be asked again.
      const problem = check?.(answer) ?? true;
      if (problem !== true) throw new Error(problem);
      return answer;
    },
    choose: async (question, choices) => {
      const answer = String(next(question));
      if (!choices.includes(answer)) throw new Error(`${question} has no choice ${answer}`);
      return answer;
    },
    secret: async (question) => String(next(question)),
  };
}

/** A directory for one test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-cli-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
