/** A positional argument as data. */
export interface Argument {
  /** One sentence without a full stop, for help. */
  readonly summary: string;
  /** The values that there are, for completion; the command itself checks them. */
  readonly choices?: readonly string[];
  readonly optional?: true;
  /** Takes any number of values; only the last argument can. With `ids`, `-` reads them from stdin. */
  readonly variadic?: true;
  /** The values are ids: `-` means one per line on stdin. */
  readonly ids?: true;
}

/** Arguments by name, in the order of the command line. */
export type ArgumentTable = Readonly<Record<string, Argument>>;

type ArgumentValue<A extends Argument> = A extends { variadic: true }
  ? string[]
  : A extends { optional: true }
    ? string | undefined
    : string;

/** The parsed values of a table of arguments. */
export type ArgumentValues<Table extends ArgumentTable> = {
  [Name in keyof Table]: ArgumentValue<Table[Name]>;
};
