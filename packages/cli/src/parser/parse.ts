import { CommanderError, type Command as Node } from 'commander';
import { usageError } from '../errors.ts';
import type { Command } from '../spec/command.ts';
import { camelCase, type Flag } from '../spec/flag.ts';
import type { Globals } from '../spec/global-flags.ts';
import type { NounEntry } from '../spec/noun.ts';
import { allFlags } from '../spec/all-flags.ts';
import { parseValue } from '../spec/parse-value.ts';
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
  /** How wide help is printed. */
  readonly width: number;
}

/** Parses a command line: a command to run, or the help that it asks for. */
export async function parse(
  argv: readonly string[],
  options: Options,
): Promise<Parsed | { readonly help: string }> {
  const { nouns } = options;
  const named = (word: string | undefined) =>
    nouns.find(({ name, aliases }) => word !== undefined && (name === word || aliases?.includes(word)));
  const [first, second] = scan(argv, 2).words;
  // `hubline help member list` is `hubline member list --help`; other words behind `help` are its own topics.
  if (first === 'help' && (second === undefined || (named(second) && !(await isTopic(second))))) {
    return parse([...scan(argv, 1).rest, '--help'], options);
  }

  const noun = named(first);
  const loaded = noun && { noun, commands: (await noun.load()).commands };
  const leaf =
    loaded?.commands.find(
      ({ path, aliases }) => path === `${noun?.name} ${second}` || aliases?.includes(second ?? ''),
    ) ?? loaded?.commands.find(({ path }) => path === noun?.name);
  const { words, rest } = scan(argv, leaf?.path === noun?.name ? 1 : 2);
  const line = [...words, ...(leaf ? expandJson(rest, allFlags(leaf)) : rest)];
  if (line.length === 0) line.push('--help');

  let matched: Matched | undefined;
  let help = '';
  const tree = leaf && noun && !asksForHelp(line) ? justLeaf(noun, leaf) : { nouns, loaded };
  const program = buildProgram({ ...tree, onMatch: (found) => (matched = found) });
  quiet(program, { width: options.width, write: (text) => (help += text) });
  try {
    await program.parseAsync(line, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return { help };
    if (error.code === 'commander.help' && loaded) {
      const verbs = loaded.commands.map(({ path }) => path.split(' ').at(-1)).join(', ');
      throw usageError(`hubline ${noun?.name} needs a verb: ${verbs}.`, `See: hubline ${noun?.name} --help`);
    }
    if (error.code === 'commander.help') return { help };
    const known = words.slice(0, leaf ? leaf.path.split(' ').length : noun ? 1 : 0);
    throw usageError(sentence(error.message), `See: ${['hubline', ...known, '--help'].join(' ')}`);
  }
  return matched ? typed(matched, options.now) : { help: program.helpInformation() };
}

/** `hubline help webhooks` is a topic, although `webhooks` is also another name of a noun. */
async function isTopic(word: string): Promise<boolean> {
  const { commands } = await import('../commands/help/noun.ts');
  return commands.some(({ path }) => path === `help ${word}`);
}

const asksForHelp = (line: readonly string[]): boolean => line.includes('--help') || line.includes('-h');

/** The tree without all that help and suggestions would need: to build it takes longer than to parse a line with it. */
function justLeaf(noun: NounEntry, leaf: Command): Pick<Tree, 'nouns' | 'loaded'> {
  return { nouns: [noun], loaded: { noun, commands: [leaf] } };
}

/** Everything commander would print is caught, on every node, and exits become errors. */
function quiet(node: Node, to: { width: number; write(text: string): void }): void {
  node.exitOverride().configureOutput({
    writeOut: (text) => to.write(text),
    writeErr: () => undefined,
    getOutHelpWidth: () => to.width,
    getErrHelpWidth: () => to.width,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
  for (const child of node.commands) quiet(child, to);
}

/** `error: unknown option '--foo'` → `Unknown option '--foo'.`, with commander's suggestion behind it. */
function sentence(message: string): string {
  const [first = '', ...more] = message.replace(/^error: /, '').split('\n');
  return [first.charAt(0).toUpperCase() + first.slice(1).replace(/\.?$/, '.'), ...more].join(' ');
}

function typed({ command, args, options }: Matched, now: number): Parsed {
  const flags = Object.fromEntries(
    Object.entries(allFlags(command)).map(([name, flag]) => [
      camelCase(name),
      read(name, flag, { options, now }),
    ]),
  );
  const names = Object.keys(command.args ?? {});
  return {
    command,
    args: Object.fromEntries(names.map((name, index) => [name, args[index]])),
    flags,
    globals: flags as unknown as Globals,
  };
}

function read(
  name: string,
  flag: Flag,
  { options, now }: { options: Matched['options']; now: number },
): unknown {
  if (flag.type === 'boolean') {
    // commander turns `--no-input` into `input: false`.
    return name.startsWith('no-')
      ? options[camelCase(name.slice(3))] === false
      : options[camelCase(name)] === true;
  }
  const raw = options[camelCase(name)] as string | string[] | undefined;
  if (raw === undefined) {
    if (flag.repeatable) return [];
    // A default is written as it would be typed.
    return typeof flag.default === 'string'
      ? parseValue(name, flag, { text: flag.default, now })
      : flag.default;
  }
  return Array.isArray(raw)
    ? raw
        .flatMap((text) => (flag.choices ? text.split(',') : text))
        .map((text) => parseValue(name, flag, { text, now }))
    : parseValue(name, flag, { text: raw, now });
}
