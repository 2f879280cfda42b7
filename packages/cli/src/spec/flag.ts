interface FlagBase {
  /** One sentence without a period, for help. */
  readonly summary: string;
  /** One letter, without the dash. */
  readonly short?: string;
}

/** A switch. */
interface BooleanFlag extends FlagBase {
  readonly type: 'boolean';
}

/** A flag with a value. */
export interface ValueFlag extends FlagBase {
  /**
   * `time` takes an ISO 8601 timestamp or a duration ago, and gives an ISO timestamp; `later` takes a duration from now; `duration`
   * takes `10m`, `2h`, `7d`, and gives milliseconds.
   */
  readonly type: 'text' | 'integer' | 'duration' | 'time' | 'later';
  /** The placeholder in help, without brackets: `id`, `file`. */
  readonly value: string;
  /** The smallest `integer`, or `duration` in milliseconds. Default 0. */
  readonly min?: number;
  readonly choices?: readonly string[];
  /** The pattern of a `text` that not every value fits, and its words for an error: `1 to 255 visible ASCII characters`. */
  readonly rule?: { readonly pattern: RegExp; readonly words: string };
  /** Words that completion offers. The flag also takes others, or the server checks its value. */
  readonly suggestions?: readonly string[];
  /** Takes the flag any number of times. */
  readonly repeatable?: true;
  readonly required?: true;
  /** On a terminal, a missing required flag is asked for with this question. */
  readonly prompt?: string;
  readonly default?: string | number;
}

/** A flag as data: the parser, help, completion and docs are made from it. */
export type Flag = BooleanFlag | ValueFlag;

/** Long names without dashes, in kebab-case, and their flags. */
export type FlagTable = Readonly<Record<string, Flag>>;

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type Scalar<F extends Flag> = F extends { type: 'boolean' }
  ? boolean
  : F extends { type: 'integer' | 'duration' }
    ? number
    : F extends { choices: readonly (infer Choice)[] }
      ? Choice
      : string;

type FlagValue<F extends Flag> = F extends { repeatable: true }
  ? Scalar<F>[]
  : F extends { type: 'boolean' } | { required: true } | { default: string | number }
    ? Scalar<F>
    : Scalar<F> | undefined;

/** The parsed values of a table of flags, by camel-case name. */
export type FlagValues<Table extends FlagTable> = {
  [Name in keyof Table & string as CamelCase<Name>]: FlagValue<Table[Name]>;
};

/** `allow-http-localhost` → `allowHttpLocalhost`. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Reports whether a flag with this value was given. */
export const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);

/** A positional argument as data. */
export interface Argument {
  /** One sentence without a period, for help. */
  readonly summary: string;
  /** The possible values, for completion; the command itself checks them. */
  readonly choices?: readonly string[];
  readonly optional?: true;
  /** Takes any number of values; only the last argument can. With `ids`, `-` reads them from stdin. */
  readonly variadic?: true;
  /** The values are IDs: `-` means one per line on stdin. */
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
