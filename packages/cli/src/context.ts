import type { Hubline, RequestOptions } from '@hubline/sdk';
import type { Config } from './config/config-file.ts';
import type { Limits } from './config/limits.ts';
import type { ProjectSettings } from './config/project-file.ts';
import type { Settings } from './config/settings.ts';
import type { Step } from './dry-run/steps.ts';
import type { Host } from './host.ts';
import type { Globals } from './spec/global-flags.ts';
import type { Style } from './terminal/io.ts';
import type { Progress } from './terminal/progress.ts';
import type { Prompter } from './terminal/prompter.ts';

/** Everything a command works with. Members that cost time are functions: each is made when it is first asked for. */
export interface Context extends Omit<Host, 'prompter'> {
  readonly globals: Globals;
  /** Rewrites the commands in a text as they must be typed here, to reach the server that this line named. */
  asTyped(text: string): string;
  /** Colors for stdout. */
  readonly style: Style;
  /** True if somebody can answer a question. */
  readonly interactive: boolean;
  /** True if a program reads the output. */
  readonly machine: boolean;
  /** Options of every request: the signal that ends it on Ctrl-C, and the idempotency key of the one write of this command. */
  readonly request: RequestOptions;
  /** The steps that a dry run has left undone. */
  readonly steps: Step[];
  /** Changes something on this machine. A dry run only notes it, as `what` describes it, and ends there. */
  perform<Result>(what: string, work: () => Result | Promise<Result>): Promise<Result>;
  configDirectory(): string;
  config(): Promise<Config>;
  /** Saves what differs from `config()`. Other commands may have changed the rest. */
  saveConfig(config: Config): Promise<void>;
  /** `./.hubline.toml`. */
  project(): Promise<ProjectSettings>;
  settings(): Promise<Settings>;
  /** Time limits and retries. */
  limits(): Promise<Limits>;
  client(): Promise<Hubline>;
  /** The ID of the workspace to act in. */
  workspace(): Promise<string>;
  /** The prompts; a usage error without a terminal. `instead` names the flag to use there. */
  prompt(instead: string): Promise<Prompter>;
  /** Progress of long work. */
  readonly progress: Progress;
  /** One line for people on stderr, not with `--quiet`. */
  note(text: string): Promise<void>;
  /** The same, even with `--quiet`: a one-time secret, or the subject of a question. */
  report(text: string): Promise<void>;
  /** A note that belongs below the output, once that is printed. */
  noteBelow(text: string): void;
  /** The same, even with `--quiet`. */
  reportBelow(text: string): void;
  /** Prints the notes that belong below the output. */
  printBelow(): Promise<void>;
  /** A warning on stderr, always. */
  warn(text: string): Promise<void>;
}
