import type { EndpointName } from '../client/endpoint-name.ts';
import type { Context } from '../context.ts';
import type { ErrorReport } from '../errors/describe-error.ts';
import type { RawBytes, RawText } from '../output/items.ts';
import type { Screen } from '../output/screen.ts';
import type { Style } from '../terminal/io.ts';
import type { ArgumentTable, ArgumentValues, FlagTable, FlagValues } from './flag.ts';
import type { AnyView, View } from './view.ts';

/** The parsed command line. */
interface Input<Args extends ArgumentTable, Flags extends FlagTable> {
  readonly args: ArgumentValues<Args>;
  readonly flags: FlagValues<Flags>;
}

/** The input of a command, without its own types. */
export type AnyInput = Input<ArgumentTable, FlagTable>;

/** A value, or any number of values as they come. */
type Result<Item> =
  | Promise<Item | AsyncIterable<Item | RawText | RawBytes>>
  | AsyncIterable<Item | RawText | RawBytes>;

/**
 * The damage a command can do. `confirm` asks on a terminal and needs `--yes` elsewhere. `type-name` needs the name of the thing,
 * typed or given with `--confirm`.
 */
export type Danger = 'none' | 'confirm' | 'type-name';

/** The space for the message of a write. */
interface Page {
  /** In columns. */
  readonly width: number;
  /** Rewrites the commands in a text as they must be typed here. */
  asTyped(text: string): string;
}

/** A negative result in words, and what to do about it. */
interface Refusal {
  readonly message: string;
  readonly hint: string;
}

/** One leaf of the tree as data: parser, help, completion, `hubline commands` and the docs are made from it. */
interface CommandSpec<Item, Args extends ArgumentTable, Flags extends FlagTable> {
  /** Noun and verb: `member list`. */
  readonly path: string;
  /** One sentence. */
  readonly summary: string;
  /** More than the summary, when it is needed. */
  readonly description?: string;
  readonly aliases?: readonly string[];
  readonly args?: Args;
  readonly flags?: Flags;
  /** True if it needs at least one of its flags: without any, it would change nothing. */
  readonly needsFlag?: true;
  /** The endpoints that the command calls for its own sake, not to look up a name. */
  readonly endpoints?: readonly EndpointName[];
  readonly danger?: Danger;
  /** The question of `confirm`: `Remove li@acme.test from the workspace?` */
  question?(input: Input<Args, Flags>): string;
  /** Whole command lines, without a leading `$`. */
  readonly examples: readonly [string, ...string[]];
  readonly view: View<Item>;
  /** Prints one item after the other, as its `LIST_FLAGS` say, and then their number. */
  readonly list?: true;
  /** Exports everything, in the `--format` and the `--out` file of its `EXPORT_FLAGS`. The value is the default format. */
  readonly export?: 'csv' | 'json';
  /** Goes on until it is stopped: items are printed as they come, and `--json` prints one document per line. */
  readonly live?: true;
  /** A list that is `live` with `--follow`. */
  readonly follows?: true;
  /** Returns a document of any shape, which is printed as JSON, on a terminal too unless the command has a `show`. */
  readonly document?: true;
  /** Reports whether it ends in its own way on a signal: it finishes the work that it has started. */
  drains?(input: Input<Args, Flags>): boolean;
  /** The hint of a command without `--dry-run`: the reason, or an alternative. */
  readonly noDryRun?: string;
  /** The message of a write. Default: the fields of the item. Strings of `item` are safe to print. */
  say?(item: Item, style: Style, page: Page): string;
  /** Shows a read on a terminal, where its fields would say too much. Strings of `item` are safe to print. */
  show?(item: Item, screen: Screen): string;
  /** The next step, printed for people below the message of a write: a sentence with a command in it. */
  next?(item: Item, input: Input<Args, Flags>): string | undefined;
  /** The next step where a list is empty: a sentence with a command in it. */
  ifEmpty?(input: Input<Args, Flags>): string | undefined;
  /** The cure for a one-time secret that was lost with the output: a sentence with a command in it. */
  ifLost?(item: Item, input: Input<Args, Flags>): string;
  /** The cure for an error of this command, where that is known better than from the error alone. */
  cure?(error: Pick<ErrorReport, 'status' | 'details'>, input: Input<Args, Flags>): string | undefined;
  /**
   * The flags that fill fields of other names: `{ event_type: '--trigger', 'settings.': '--credential ' }`. Errors name them as they
   * were typed; see errors/name-typed.ts. `false`: no flag fills a field, because the user wrote the whole request.
   */
  readonly typed?: Readonly<Record<string, string>> | false;
  /** The reason why the printed item is a "no"; the command then ends with exit code 9. */
  refusal?(item: Item): Refusal | undefined;
  run(ctx: Context, input: Input<Args, Flags>): Result<Item>;
}

/** A command without its own types. */
export interface Command extends Omit<CommandSpec<unknown, ArgumentTable, FlagTable>, 'view'> {
  readonly view: AnyView;
}

/** Returns a command as it is, and types its `run` by its arguments and flags. */
export function define<
  Item,
  const Args extends ArgumentTable = Readonly<Record<never, never>>,
  const Flags extends FlagTable = Readonly<Record<never, never>>,
>(command: CommandSpec<Item, Args, Flags>): Command {
  return command;
}

/** A noun of the tree, before its commands are loaded. */
export interface NounEntry {
  readonly name: string;
  /** One line for `hubline --help`. */
  readonly summary: string;
  readonly aliases?: readonly string[];
  /** The heading under which `hubline --help` lists it. */
  readonly group: 'Core' | 'Account' | 'Server' | 'Tools';
  load(): Promise<{ readonly commands: readonly [Command, ...Command[]] }>;
}
