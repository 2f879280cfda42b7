import { nouns } from '../commands/registry.ts';
import { scan } from '../parser/scan.ts';
import type { Command, NounEntry } from '../spec/command.ts';
import type { Flag, FlagTable } from '../spec/flag.ts';
import { GLOBAL_FLAGS } from '../spec/global-flags.ts';
import { allFlags } from '../spec/terms.ts';

/** A word that fits, and what it means. */
export interface Candidate {
  readonly word: string;
  readonly summary?: string;
}

/** The candidates that can follow: words, files, or IDs, which the API knows. */
interface Completion {
  readonly candidates: readonly Candidate[];
  /** True if files fit, too. */
  readonly files: boolean;
  /** The noun whose IDs fit, such as `webhook`. */
  readonly things: string | undefined;
  /** The text in front of each candidate, as in `--webhook=whk_…`. */
  readonly prefix: string;
}

const words = (candidates: readonly Candidate[]): Completion => ({
  candidates,
  files: false,
  things: undefined,
  prefix: '',
});

/** Completes the word at the cursor. `line` is everything after `hubline`, ending with that word, which may be empty. */
export async function complete(line: readonly string[]): Promise<Completion> {
  const current = line.at(-1) ?? '';
  const before = line.slice(0, -1);
  const [first, second] = scan(before, 2).words;
  if (first === undefined) return atStart(before, current);
  // `hubline help member inv`: the words of a command may follow, as well as the topics.
  if (first === 'help' && nouns.some(({ name }) => name === second))
    return complete([...scan(before, 1).rest, current]);
  const noun = nounOf(first);
  if (!noun) return words([]);
  const { commands } = await noun.load();
  const verb = commands.find(
    ({ path, aliases }) => path === `${noun.name} ${second}` || aliases?.includes(second ?? ''),
  );
  const verbs = second === undefined ? verbsOf(commands, noun) : [];
  const topics = first === 'help' && second === undefined ? nounWords : [];
  const leaf = verb ?? commands.find(({ path }) => path === noun.name);
  if (leaf) return inLeaf(leaf, { before: scan(before, verb ? 2 : 1).rest, current, verbs });
  return words(current.startsWith('-') ? help : [...verbs, ...topics]);
}

const nounOf = (word: string | undefined): NounEntry | undefined =>
  nouns.find(({ name, aliases }) => word !== undefined && (name === word || aliases?.includes(word)));

const help: readonly Candidate[] = [{ word: '--help', summary: 'Show help' }];

const nounWords: readonly Candidate[] = nouns.map(({ name, summary }) => ({ word: name, summary }));

function atStart(before: readonly string[], current: string): Completion {
  const awaited = flagOf(before.at(-1) ?? '', GLOBAL_FLAGS);
  if (awaited && takesNext(awaited)) return valuesOf(awaited.name, awaited.flag);
  if (!current.startsWith('-')) return words(nounWords);
  return words([...help, { word: '--version', summary: 'Print the version' }, ...flagWords(GLOBAL_FLAGS)]);
}

function verbsOf(commands: readonly Command[], { name }: NounEntry): Candidate[] {
  return commands
    .filter(({ path }) => path !== name)
    .map(({ path, summary }) => ({ word: path.split(' ').at(-1) ?? '', summary }));
}

interface Typed {
  readonly before: readonly string[];
  readonly current: string;
  /** Other words that can take the place of the first argument. */
  readonly verbs: readonly Candidate[];
}

function inLeaf(leaf: Command, { before, current, verbs }: Typed): Completion {
  const flags = allFlags(leaf);
  const previous = before.at(-1) ?? '';
  const awaited = before.includes('--') ? undefined : flagOf(previous, flags);
  if (awaited && takesNext(awaited)) return valuesOf(awaited.name, awaited.flag);
  const [, name, value] = /^--([\w-]+)=(.*)$/s.exec(current) ?? [];
  const assigned = name === undefined ? undefined : flags[name];
  if (name !== undefined && value !== undefined && assigned) {
    const prefix = `--${name}=`;
    // A list of fields: the last one is being typed.
    if (name === 'json') {
      const typed = value.slice(0, value.lastIndexOf(',') + 1);
      return { ...words(leaf.view.fields.map((field) => ({ word: field }))), prefix: prefix + typed };
    }
    return { ...valuesOf(name, assigned), prefix };
  }
  if (current.startsWith('-')) return words([...flagWords(flags), ...help]);
  const values = argumentValues(leaf, argumentsIn(before, flags));
  return { ...values, candidates: [...verbs, ...values.candidates] };
}

function flagWords(flags: FlagTable): Candidate[] {
  return Object.entries(flags).map(([name, { summary }]) => ({ word: `--${name}`, summary }));
}

function flagOf(token: string, flags: FlagTable): { name: string; flag: Flag } | undefined {
  const found = Object.entries(flags).find(
    ([name, { short }]) => token === `--${name}` || (short !== undefined && token === `-${short}`),
  );
  return found && { name: found[0], flag: found[1] };
}

const takesNext = ({ name, flag }: { name: string; flag: Flag }): boolean =>
  flag.type !== 'boolean' && name !== 'json';

/** The arguments that have been typed. */
function argumentsIn(before: readonly string[], flags: FlagTable): string[] {
  const found: string[] = [];
  for (let index = 0; index < before.length; index += 1) {
    const token = before[index] ?? '';
    const flag = flagOf(token, flags);
    if (flag && takesNext(flag)) index += 1;
    else if (!token.startsWith('-') || token === '-') found.push(token);
  }
  return found;
}

/** Flags whose values are IDs or names of things. */
const FLAG_THINGS: Readonly<Record<string, string>> = {
  workspace: 'workspace',
  context: 'context',
  webhook: 'webhook',
  event: 'event',
  integration: 'integration',
  resource: 'integration',
  actor: 'member',
  to: 'member',
};

function valuesOf(name: string, flag: Flag): Completion {
  if (flag.type === 'boolean') return words([]);
  const known = flag.choices ?? flag.suggestions;
  if (known) return words(known.map((word) => ({ word })));
  if (/file|dir/.test(flag.value)) return { ...words([]), files: true };
  return { ...words([]), things: flag.value === 'url' ? undefined : FLAG_THINGS[name] };
}

/** Arguments whose name differs from the kind of thing that they take. */
const ARGUMENT_THINGS: Readonly<Record<string, string>> = { user: 'member' };

function argumentValues({ args = {}, path }: Command, typed: readonly string[]): Completion {
  const entries = Object.entries(args);
  const found = entries[typed.length] ?? entries.findLast(([, { variadic }]) => variadic);
  if (!found) return words([]);
  const [name, { choices }] = found;
  if (choices) return words(choices.map((word) => ({ word })));
  if (name === 'file' || name === 'payload') return { ...words([]), files: true };
  // The argument is a new name.
  if (path === 'context create') return words([]);
  // `hubline wait delivery <id>`: the argument before names the kind of ID.
  return { ...words([]), things: name === 'id' ? typed.at(-1) : (ARGUMENT_THINGS[name] ?? name) };
}
