import type { Keychain } from './config/keychain.ts';
import type { Io, Style } from './terminal/io.ts';
import type { Pager } from './terminal/pager.ts';
import type { Prompter } from './terminal/prompter.ts';

/** This program, if it is in a single file. */
export interface OneFile {
  readonly path: string;
  /** The public key of releases, in PEM; empty if it was built without one. */
  readonly releaseKey: string;
}

/** The process as a command sees it: everything a test wants to replace. */
export interface Host {
  readonly io: Io;
  /** The words that start this program here, such as `hubline`. */
  readonly program: string;
  /** The words that start it from any folder of this machine. */
  readonly programAnywhere: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  now(): number;
  /** Aborts on SIGINT, SIGTERM and SIGHUP; its reason is an `Interrupted`. */
  readonly signal: AbortSignal;
  /** Passes unhandled errors and rejections to `listener` from now on. Without one they end the process at once. */
  onUnhandled(listener: (error: unknown) => void): void;
  /** Runs work that blocks this process. Until it ends, a signal ends the process at once, since nothing could handle it. */
  blocking<Result>(work: () => Result): Result;
  /** Returns the absolute path for one that may be relative to the working directory. Throws if that is needed but has been removed. */
  absolute(path: string): string;
  /** `undefined` for an installation by npm or from a clone. */
  readonly oneFile: OneFile | undefined;
  /** Starts this program once more, with another command line. It outlives this one, and has no streams. */
  startInBackground(argv: readonly string[]): void;
  /** The directory that paths of the system, such as `/etc`, begin with: empty except in tests. */
  readonly systemRoot: string;
  /** The folder of this user's caches; `undefined` if there is none. */
  readonly cache: string | undefined;
  /** Loads the keychain of the system; `null` when it is switched off. */
  keychain(): Promise<Keychain | null>;
  /** Starts a pager; `null` if there is no such program. */
  pager(command: string): Promise<Pager | null>;
  /** Loads the prompts. */
  prompter(style: Style): Promise<Prompter>;
}
