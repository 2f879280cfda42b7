import { Command as Node, Option } from 'commander';
import type { Command, NounEntry } from '../spec/command.ts';
import type { Flag } from '../spec/flag.ts';
import { allFlags, argumentTerm, flagTerm } from '../spec/terms.ts';

/** A leaf that the parser found, with everything that was typed for it. */
export interface Matched {
  readonly command: Command;
  readonly args: readonly (string | string[] | undefined)[];
  /** By commander's own attribute names; each value flag has all of its values. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The part of the tree that the parser knows. */
export interface Tree {
  readonly nouns: readonly NounEntry[];
  /** The one noun whose commands are loaded. */
  readonly loaded?: { readonly noun: NounEntry; readonly commands: readonly Command[] } | undefined;
  onMatch(matched: Matched): void;
}

/**
 * The tree for commander, which only parses and suggests. Only the noun in question has its commands; the others are names for
 * suggestions.
 */
export function buildProgram({ nouns, loaded, onMatch }: Tree): Node {
  const program = silent(new Node('hubline')).enablePositionalOptions();
  for (const noun of nouns) program.addCommand(nounNode(noun, { loaded, onMatch }));
  return program;
}

/** A node that prints nothing, does not exit, and has no help of its own. */
function silent(node: Node): Node {
  return node
    .helpOption(false)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
}

function nounNode(noun: NounEntry, { loaded, onMatch }: Pick<Tree, 'loaded' | 'onMatch'>): Node {
  const commands = loaded?.noun === noun ? loaded.commands : [];
  const single = commands.find((command) => command.path === noun.name);
  const node = single ? leafNode(single, onMatch).enablePositionalOptions() : silent(new Node(noun.name));
  // A noun can also be a command: there is `hubline trigger push`, and `hubline trigger list`.
  for (const command of commands) if (command !== single) node.addCommand(leafNode(command, onMatch));
  return node.aliases([...(noun.aliases ?? [])]);
}

function leafNode(command: Command, onMatch: Tree['onMatch']): Node {
  const node = silent(new Node(command.path.split(' ').at(-1))).aliases([...(command.aliases ?? [])]);
  for (const [name, argument] of Object.entries(command.args ?? {}))
    node.argument(argumentTerm(name, argument));
  for (const [name, flag] of Object.entries(allFlags(command))) node.addOption(toOption(name, flag));
  return node.action(() =>
    onMatch({ command, args: node.processedArgs as Matched['args'], options: node.opts() }),
  );
}

/** The value of `--json` is optional and follows `=`; see expandJson. */
function toOption(name: string, flag: Flag): Option {
  const option = new Option(name === 'json' ? '--json <fields>' : flagTerm(name, flag));
  // To commander `--no-input` would be the opposite of `--input`, which is a separate flag.
  option.negate = false;
  return flag.type === 'boolean'
    ? option
    : option.argParser((value: string, earlier: readonly string[] | undefined) => [
        ...(earlier ?? []),
        value,
      ]);
}
