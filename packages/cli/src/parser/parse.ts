import { CommanderError } from 'commander';
import { SHORTCUTS } from '../commands/registry.ts';
import { CommandError, usageError } from '../errors/errors.ts';
import type { Command, NounEntry } from '../spec/command.ts';
import { camelCase, type Flag } from '../spec/flag.ts';
import type { Globals } from '../spec/global-flags.ts';
import { parseValue } from '../spec/parse-value.ts';
import { allFlags, argumentTerm } from '../spec/terms.ts';
import { refuseMovingTime } from './moving-time.ts';
import { buildProgram, type Matched, type Tree } from './program.ts';
import { expandJson, scan } from './scan.ts';

/** A leaf and what was typed for it. Required flags may still be missing: on a terminal they are asked for. */
export interface Parsed {
  readonly command: Command;
  readonly args: Readonly<Record<string, string | string[] | undefined>>;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly globals: Globals;
}

interface Options {
  readonly nouns: readonly NounEntry[];
  readonly now: number;
  /** The width of help. */
  readonly width: number;
}

/** Flags that people try, named after the API. Here each word means one thing. */
const MEANT: Readonly<Record<string, string>> = {
  '--event': 'A webhook subscribes with --trigger. --event <id> selects the deliveries of one event.',
  '--event-type': 'Use --trigger for names such as event.created, and --type for the type of an event.',
  '--type': '--type is the type of an event; a provider is named with --provider.',
};

/** Parses a command line: a command to run, or the help that it asks for. */
export async function parse(
  typedLine: readonly string[],
  options: Options,
): Promise<Parsed | { readonly help: string }> {
  const { nouns, width } = options;
  const named = (word: string | undefined) =>
    nouns.find(({ name, aliases }) => word !== undefined && (name === word || aliases?.includes(word)));
  const argv = expandShortcut(typedLine);
  const [first, second] = scan(argv, 2).words;
  // `hubline help member list` is `hubline member list --help`; other words after `help` are its own topics.
  if (first === 'help' && !(second !== undefined && (await isTopic(named('help'), second)))) {
    const rest = scan(argv, 1).rest;
    if (second === undefined || named(second) || isShortcut(second))
      return parse([...rest, '--help'], options);
  }

  const noun = named(first);
  const loaded = noun && { noun, commands: (await noun.load()).commands };
  const verb = loaded?.commands.find(
    ({ path, aliases }) => path === `${noun?.name} ${second}` || aliases?.includes(second ?? ''),
  );
  const single = loaded?.commands.find(({ path }) => path === noun?.name);
  const leaf = verb ?? single;
  if (asksForHelp(argv) || first === undefined) {
    const { commandHelp, nounHelp, rootHelp } = await import('./help.ts');
    // Help instead of a command would be a success.
    if (first === undefined && argv.slice(0, -1).includes('--') && !asksForHelp(argv))
      throw usageError('The command goes before --, and its arguments after it.', 'See: hubline --help');
    if (first === undefined) return { help: rootHelp(nouns, width) };
    const verbs = loaded?.commands.filter((command) => command !== single) ?? [];
    if (leaf) return { help: commandHelp(leaf, leaf === single ? verbs : [], width) };
    if (loaded) return { help: nounHelp(loaded.noun, loaded.commands, width) };
  }
  const { words, rest } = scan(argv, leaf && leaf === single ? 1 : 2);
  const line = [...words, ...(leaf ? expandJson(rest, leaf) : rest)];

  let matched: Matched | undefined;
  const tree = leaf && noun ? justLeaf(noun, leaf) : { nouns, loaded };
  const program = buildProgram({ ...tree, onMatch: (found) => (matched = found) });
  try {
    await program.parseAsync(line, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.help' && loaded) {
      const verbs = loaded.commands.map(({ path }) => path.split(' ').at(-1)).join(', ');
      throw usageError(`hubline ${noun?.name} needs a verb: ${verbs}.`, `See: hubline ${noun?.name} --help`);
    }
    const known = words.slice(0, leaf ? leaf.path.split(' ').length : noun ? 1 : 0);
    const [flag = ''] = /(?<=unknown option ')--[\w-]+/.exec(error.message) ?? [];
    const meant = leaf ? meantBy(flag, leaf) : '';
    const example =
      error.code === 'commander.missingArgument' && leaf ? `For example: ${leaf.examples[0]}. ` : '';
    const see = `${leaf ? dashHint(error, leaf, line) : ''}See: ${['hubline', ...known, '--help'].join(' ')}`;
    if (leaf && allFlags(leaf)[flag.slice(2)]?.type === 'boolean')
      throw usageError(`${flag} takes no value. Give it alone, or leave it out.`, see);
    throw usageError(sentence(error.message) + meant, example + see);
  }
  if (!matched) throw usageError('There is no command.', 'See: hubline --help');
  try {
    return typed(matched, options.now);
  } catch (error) {
    if (!(error instanceof CommandError) || error.hint !== undefined) throw error;
    throw usageError(error.message, `See: hubline ${matched.command.path} --help`);
  }
}

/** The end of the error for a flag that people try, with a space before it. A secret must not be on the command line, so it has other flags. */
function meantBy(flag: string, leaf: Command): string {
  if (Object.hasOwn(MEANT, flag)) return ` ${MEANT[flag]}`;
  const others = SECRET_FLAGS.filter((name) => flag === '--secret' && Object.hasOwn(leaf.flags ?? {}, name));
  return others.length === 0 ? '' : ` Use ${others.map((name) => `--${name}`).join(' or ')}.`;
}

/** The hint for an argument that begins with a dash, and so was read as a flag, or for flags that were typed after `--`. */
function dashHint({ code, message }: CommanderError, leaf: Command, line: readonly string[]): string {
  const { path, args = {} } = leaf;
  const isSuspected =
    code === 'commander.excessArguments'
      ? line.includes('--')
      : code === 'commander.missingArgument'
        ? // An address such as -web@example.com was read as -w with the workspace eb@example.com.
          line.some((word) => /^-[a-z]./i.test(word))
        : // A long option that does not exist is a mistyped flag.
          code === 'commander.unknownOption' && !/'--[a-z][\w-]*'/i.test(message.replace(/=.*/s, "'"));
  const terms = Object.entries(args).map(([name, argument]) => argumentTerm(name, argument));
  if (!isSuspected || terms.length === 0) return '';
  return `An argument that begins with - goes to the end, after --: hubline ${path} [flags] -- ${terms.join(' ')}. `;
}

const SECRET_FLAGS = ['secret-file', 'generate-secret'];

/** The line with a word such as `login` replaced by the command that it stands for. */
function expandShortcut(argv: readonly string[]): readonly string[] {
  const { words, rest } = scan(argv, 1);
  const [word = ''] = words;
  const target = isShortcut(word) ? SHORTCUTS[word] : undefined;
  return target ? [...target, ...rest] : argv;
}

const isShortcut = (word: string): boolean => Object.hasOwn(SHORTCUTS, word);

/** `hubline help webhooks` is a topic, although `webhooks` is also another name of a noun. */
async function isTopic(help: NounEntry | undefined, word: string): Promise<boolean> {
  const loaded = await help?.load();
  return loaded !== undefined && loaded.commands.some(({ path }) => path === `help ${word}`);
}

/** Reports whether `--help` or `-h` is among the flags. Words after `--` are arguments. */
function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  return flags.includes('--help') || flags.includes('-h');
}

/** The tree without the words for suggestions: building those takes longer than parsing a line. */
function justLeaf(noun: NounEntry, leaf: Command): Pick<Tree, 'nouns' | 'loaded'> {
  return { nouns: [noun], loaded: { noun, commands: [leaf] } };
}

/** `error: unknown option '--foo=x'` → `Unknown option '--foo'.`, with commander's suggestion after it. The value may be a secret. */
function sentence(message: string): string {
  const named = message.replace(/(?<=^error: unknown option '--[\w-]+)=.*(?=')/s, '');
  const [first = '', ...more] = named.replace(/^error: /, '').split('\n');
  return [first.charAt(0).toUpperCase() + first.slice(1).replace(/\.?$/, '.'), ...more].join(' ');
}

function typed({ command, args, options }: Matched, now: number): Parsed {
  const flags = Object.fromEntries(
    Object.entries(allFlags(command)).map(([name, flag]) => [
      camelCase(name),
      read(name, flag, { options, now }),
    ]),
  );
  const values = Object.keys(command.args ?? {}).map((name, index) => [name, args[index]] as const);
  const globals = flags as unknown as Globals;
  for (const name of Object.keys(command.flags ?? {}))
    for (const text of [options[camelCase(name)] ?? []].flat())
      if (typeof text === 'string') refuseMovingTime(command, globals, { name, text });
  for (const [name, value] of values)
    if ([value].flat().includes('')) throw usageError(`<${name}> must not be empty.`);
  return {
    command,
    args: Object.fromEntries(values),
    flags,
    globals,
  };
}

function read(
  name: string,
  flag: Flag,
  { options, now }: { options: Matched['options']; now: number },
): unknown {
  if (flag.type === 'boolean') {
    return options[camelCase(name)] === true;
  }
  const given = options[camelCase(name)] as readonly string[] | undefined;
  if (given === undefined) {
    if (flag.repeatable) return [];
    // A default is written as it would be typed.
    return typeof flag.default === 'string'
      ? parseValue(name, flag, { text: flag.default, now })
      : flag.default;
  }
  if (flag.repeatable) {
    const texts = flag.choices ? given.flatMap((text) => text.split(',')) : given;
    return texts.map((text) => parseValue(name, flag, { text, now }));
  }
  const [text = '', ...more] = given;
  if (more.length > 0) {
    throw usageError(
      `--${name} takes one value, and was given ${given.length}: ${given.join(', ')}.`,
      'Keep one of them.',
    );
  }
  return parseValue(name, flag, { text, now });
}
