/** A program and its arguments. */
export type CommandLine = readonly [string, ...string[]];

/** The way in which a system keeps the server running: files and commands as data. */
export interface ServicePlan {
  readonly files: readonly ServiceFile[];
  /** The directory of the database and the master key. */
  readonly data: string;
  /** A step that is left to the operator, with the command to type. */
  readonly advice?: string;
  /** A directory that is there while the service manager runs; left out where it always does. */
  readonly manager?: string;
  /** The directory in which the service manager makes links, also in an image. */
  readonly links?: string;
  /** Starts it now, and with the system. */
  readonly install: readonly CommandLine[];
  /** Makes it start with an image of a system, which is not running. Empty: not supported. */
  readonly installInImage: readonly CommandLine[];
  readonly status: CommandLine;
  logs(options: { follow: boolean }): CommandLine;
  /** Ends it, before its files are removed. */
  readonly uninstall: readonly CommandLine[];
  /** Tells the system that the files are gone. */
  readonly forget: readonly CommandLine[];
}

interface ServiceFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
  /** Belongs to the operator: one that exists stays as it is, also when the service is removed. */
  readonly keep?: true;
}

export interface ServiceOptions {
  /** The words that start `hubline`, each an absolute path or a flag. */
  readonly program: CommandLine;
  /** Settings of the server by the names of its variables. */
  readonly settings: Readonly<Record<string, string>>;
  /** The directory before every path; empty for the system that runs. */
  readonly root: string;
  /** The user who runs it, where the system makes none of its own. */
  readonly user: string;
}
