import { Command as Node, Option } from 'commander';
import type { Argument } from '../spec/argument.ts';
import type { Command } from '../spec/command.ts';
import type { Flag } from '../spec/flag.ts';
import { GLOBAL_FLAGS } from '../spec/global-flags.ts';
import type { NounEntry } from '../spec/noun.ts';
import { examplesHelp, EXIT_HELP } from './help.ts';

/** What the parser found on a leaf. */
export interface Matched {
  readonly command: Command;
  readonly args: readonly (string | string[] | undefined)[];
  /** By commander's own attribute names. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** What the parser knows of the tree. */
export interface Tree {
  readonly nouns: readonly NounEntry[];
  /** The one noun whose commands are loaded. */
  readonly loaded?: { readonly noun: NounEntry; readonly commands: readonly Command[] } | undefined;
  onMatch(matched: Matched): void;
}

/**
 * The tree for commander, which parses, suggests and prints help, and nothing else. Only the noun in question has its
 * commands; the others are names in the help.
 */
export function buildProgram({ nouns, loaded, onMatch }: Tree): Node {
  const program = new Node('hubline')
    .description('Workspaces, integrations and signed webhook deliveries, from the command line.')
    .usage('<noun> <verb> [flags]')
    .helpCommand(false)
    .enablePositionalOptions()
    .addHelpOption(new Option('-h, --help', 'Show this').helpGroup('Flags:'))
    .addOption(new Option('--version', 'Print the version').helpGroup('Flags:'))
    .addHelpText('after', `\n${EXIT_HELP}`);
  for (const noun of nouns) {
    const node = nounNode(noun, { loaded, onMatch });
    program.addCommand(node.helpGroup(`${noun.group}:`));
  }
  return plainHelp(program);
}

/** Help without aliases and placeholders: they are noise in a list, and accepted all the same. */
function plainHelp(node: Node): Node {
  node.configureHelp({
    commandUsage: (command) => {
      const names = [];
      for (let each: Node | null = command; each; each = each.parent) names.unshift(each.name());
      return [...names, command.usage()].join(' ');
    },
    // In the list of nouns a name is enough; behind a noun the arguments of each verb help.
    subcommandTerm: (command) =>
      command.parent?.parent
        ? `${command.name()} ${command.usage().replace(/ ?\[flags\]$/, '')}`
        : command.name(),
    optionTerm: (option) => (option.long === '--json' ? '--json[=fields]' : option.flags),
  });
  for (const child of node.commands) plainHelp(child);
  return node;
}

/** `<user...>`, `[workspace]`. */
function term(name: string, { optional, variadic }: Argument): string {
  const text = `${name}${variadic ? '...' : ''}`;
  return optional ? `[${text}]` : `<${text}>`;
}

function nounNode(noun: NounEntry, { loaded, onMatch }: Pick<Tree, 'loaded' | 'onMatch'>): Node {
  const commands = loaded?.noun === noun ? loaded.commands : [];
  const single = commands.find((command) => command.path === noun.name);
  if (single) {
    const node = leafNode(single, onMatch)
      .aliases([...(noun.aliases ?? [])])
      .helpCommand(false)
      .enablePositionalOptions()
      .commandsGroup('Verbs:');
    // A noun that is a verb, too: `hubline trigger push` beside `hubline trigger list`.
    for (const command of commands) if (command !== single) node.addCommand(leafNode(command, onMatch));
    return node;
  }
  const node = new Node(noun.name)
    .summary(noun.summary)
    .description(`${noun.summary}.`)
    .usage('<verb> [flags]')
    .helpCommand(false)
    .commandsGroup('Verbs:')
    .addHelpOption(new Option('-h, --help', 'Show this').helpGroup('Flags:'))
    .aliases([...(noun.aliases ?? [])]);
  for (const command of commands) node.addCommand(leafNode(command, onMatch));
  return node;
}

function leafNode(command: Command, onMatch: Tree['onMatch']): Node {
  const args = Object.entries(command.args ?? {});
  const node = new Node(command.path.split(' ').at(-1))
    .usage([...args.map(([name, argument]) => term(name, argument)), '[flags]'].join(' '))
    .summary(command.summary.replace(/\.$/, ''))
    .description([command.summary, command.description].filter(Boolean).join('\n\n'))
    .aliases([...(command.aliases ?? [])])
    .addHelpOption(new Option('-h, --help', 'Show this').helpGroup('Global flags:'))
    .addHelpText('after', ({ command: shown }) =>
      examplesHelp(command, shown.configureOutput().getOutHelpWidth?.() ?? 80),
    );
  for (const [name, argument] of args) node.argument(term(name, argument), argument.summary);
  for (const [name, flag] of Object.entries(command.flags ?? {})) node.addOption(toOption(name, flag));
  for (const [name, flag] of Object.entries(GLOBAL_FLAGS)) {
    node.addOption(toOption(name, flag).helpGroup('Global flags:'));
  }
  return node.action(() =>
    onMatch({ command, args: node.processedArgs as Matched['args'], options: node.opts() }),
  );
}

function toOption(name: string, flag: Flag): Option {
  const short = flag.short ? `-${flag.short}, ` : '';
  if (flag.type === 'boolean') return new Option(`${short}--${name}`, flag.summary).helpGroup('Flags:');
  // Shown as it is typed: the value of --json is optional and follows `=`; see expandJson.
  const option = new Option(`${short}--${name} <${flag.value}>`, describe(flag)).helpGroup('Flags:');
  return flag.repeatable
    ? option.argParser((value: string, earlier: string[] | undefined) => [...(earlier ?? []), value])
    : option;
}

function describe(flag: Exclude<Flag, { type: 'boolean' }>): string {
  const notes = [
    flag.choices && flag.choices.join(', '),
    flag.default !== undefined && `default ${flag.default}`,
    flag.required && 'required',
    flag.repeatable && 'repeatable',
  ].filter(Boolean);
  return notes.length > 0 ? `${flag.summary} (${notes.join('; ')})` : flag.summary;
}
