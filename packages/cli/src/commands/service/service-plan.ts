/** A program and its arguments. */
export type CommandLine = readonly [string, ...string[]];

/** The way in which a system keeps the server running: files and commands as data. */
export interface ServicePlan {
  readonly files: readonly ServiceFile[];
  /** The directory of the database and the master key. */
  readonly data: string;
  /** A step that is left to the operator, with the command to type. */
  readonly advice?: string;
  /** A directory that exists while the service manager runs; left out if it always runs. */
  readonly manager?: string;
  /** The directory in which the service manager makes links, on this machine or in an image. */
  readonly links?: string;
  /** Starts the service now, and with the system. */
  readonly install: readonly CommandLine[];
  /** Makes the service start with an image of a system, which is not running. Empty: not supported. */
  readonly installInImage: readonly CommandLine[];
  /** Succeeds while the service runs, or is kept running. */
  readonly status: CommandLine;
  /** Reports, from the output of `status`, whether the server has ended since it was started. Left out if `status` fails then. */
  hasEnded?(report: string): boolean;
  logs(options: { follow: boolean }): CommandLine;
  /** Ends the service, before its files are removed. */
  readonly uninstall: readonly CommandLine[];
  /** Tells the system that the files are gone. */
  readonly forget: readonly CommandLine[];
}

interface ServiceFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
  /** Belongs to the operator: an existing file stays as it is, even when the service is removed. */
  readonly keep?: true;
}

export interface ServiceOptions {
  /** The words that start `hubline`, each an absolute path or a flag. */
  readonly program: CommandLine;
  /** Settings of the server by the names of its variables. */
  readonly settings: Readonly<Record<string, string>>;
  /** The directory that every path begins with; empty for the running system. */
  readonly root: string;
  /** The user who runs the service, if the system makes none for it. */
  readonly user: string;
}
