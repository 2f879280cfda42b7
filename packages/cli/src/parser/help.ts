import type { Command, NounEntry } from '../spec/command.ts';
import type { Flag, FlagTable } from '../spec/flag.ts';
import { GLOBAL_FLAGS } from '../spec/global-flags.ts';
import { argumentTerm, flagTerm, usageLine } from '../spec/terms.ts';
import { wrap } from '../terminal/text.ts';

/** A row of help: a term and its text. */
type Row = readonly [term: string, text: string];

const START = `Start here:
  hubline server start           run a server on this machine
  hubline auth login             log in to a server
  hubline event tail             see events as they come
  hubline listen 3000            forward them to a program on this machine
`;

const MORE = `Learn more:
  hubline <noun> --help          the verbs of a noun
  hubline <noun> <verb> --help   examples and flags
  hubline help flags             flags that every command takes
  hubline help environment       environment variables
  hubline help exit-codes        the meaning of the exit codes
  hubline help formatting        --json, --jq, --template, -o
  hubline help webhooks          develop a receiver, retry what failed
`;

const GROUPS = ['Core', 'Account', 'Server', 'Tools'] as const;

/** `hubline --help`. */
export function rootHelp(nouns: readonly NounEntry[], width: number): string {
  const termWidth = Math.max(...nouns.map(({ name }) => name.length));
  const groups = GROUPS.map((group) => {
    const members = nouns.filter((noun) => noun.group === group);
    return `${group}:\n${rows(
      members.map(({ name, summary }): Row => [name, summary]),
      { width, termWidth },
    )}`;
  });
  return sections([
    'Usage: hubline <noun> <verb> [flags]\n',
    'Workspaces, integrations and signed webhook deliveries, from the command line.\n',
    START,
    ...groups,
    MORE,
  ]);
}

/** The help of a noun: its verbs. */
export function nounHelp(noun: NounEntry, commands: readonly Command[], width: number): string {
  return sections([
    `Usage: hubline ${noun.name} <verb> [flags]\n`,
    paragraph(`${noun.summary}.`, width),
    verbsHelp(commands, width),
    also(
      noun.aliases?.map((alias) => `hubline ${alias}`),
      width,
    ),
    `Examples and flags of a verb: hubline ${noun.name} <verb> --help\n`,
  ]);
}

/** The help of a command: how it is used, examples, and its own flags. `verbs`: the other verbs of its noun. */
export function commandHelp(command: Command, verbs: readonly Command[], width: number): string {
  const { path, summary, description, args = {}, flags = {}, aliases, examples, view } = command;
  const argumentRows = Object.entries(args).map(([name, { summary: text }]): Row => [name, text]);
  const flagRows = flagsAsRows(flags);
  const termWidth = widest([...argumentRows, ...flagRows]);
  const layout = { width, termWidth };
  return sections([
    `Usage: ${usageLine(command)}\n`,
    paragraph(summary, width),
    description && paragraph(description, width),
    `Examples:\n${examples.map((line) => `  $ ${line}\n`).join('')}`,
    argumentRows.length > 0 && `Arguments:\n${rows(argumentRows, layout)}`,
    flagRows.length > 0 && `Flags:\n${rows(flagRows, layout)}`,
    verbs.length > 0 && verbsHelp(verbs, width),
    view.fields.length > 0 && `Fields for --json:\n${indented(view.fields.join(', '), width)}`,
    also(
      aliases?.map((alias) => ['hubline', ...path.split(' ').slice(0, -1), alias].join(' ')),
      width,
    ),
    paragraph(
      'Every command also takes --json, -q, -o, -w, --yes, --dry-run and more: hubline help flags',
      width,
    ),
  ]);
}

/** The flags that every command takes. */
export function globalFlagsHelp(width: number): string {
  const flagRows = flagsAsRows(GLOBAL_FLAGS);
  return rows([...flagRows, ['-h, --help', 'Show the help of a command']], {
    width,
    termWidth: widest(flagRows),
  });
}

function verbsHelp(commands: readonly Command[], width: number): string {
  const verbRows = commands.map(({ path, summary, args = {} }): Row => {
    const terms = Object.entries(args).map(([name, argument]) => argumentTerm(name, argument));
    return [[path.split(' ').at(-1), ...terms].join(' '), summary.replace(/\.$/, '')];
  });
  return `Verbs:\n${rows(verbRows, { width, termWidth: widest(verbRows) })}`;
}

function flagsAsRows(flags: FlagTable): Row[] {
  return Object.entries(flags).map(([name, flag]) => [flagTerm(name, flag), flagNote(flag)]);
}

function flagNote(flag: Flag): string {
  if (flag.type === 'boolean') return flag.summary;
  const notes = [
    flag.choices && flag.choices.join(', '),
    flag.default !== undefined && `default ${flag.default}`,
    flag.required && 'required',
    flag.repeatable && 'repeatable',
  ].filter(Boolean);
  return notes.length > 0 ? `${flag.summary} (${notes.join('; ')})` : flag.summary;
}

function also(names: readonly string[] | undefined, width: number): string | undefined {
  return names && names.length > 0 ? paragraph(`Also: ${names.join(', ')}`, width) : undefined;
}

/** Longer terms are followed by a line break. */
const WIDEST_TERM = 30;

const widest = (all: readonly Row[]): number =>
  Math.max(0, ...all.map(([term]) => term.length).filter((length) => length <= WIDEST_TERM));

function rows(all: readonly Row[], { width, termWidth }: { width: number; termWidth: number }): string {
  const indent = ' '.repeat(termWidth + 4);
  return all
    .map(([term, text]) => {
      const lines = wrap(text, Math.max(20, width - indent.length));
      const start = term.length > termWidth ? `  ${term}\n${indent}` : `  ${term.padEnd(termWidth)}  `;
      return `${start}${lines.join(`\n${indent}`)}\n`;
    })
    .join('');
}

const paragraph = (text: string, width: number): string => `${wrap(text, width).join('\n')}\n`;
const indented = (text: string, width: number): string =>
  wrap(text, width - 2)
    .map((line) => `  ${line}\n`)
    .join('');

const sections = (parts: readonly (string | false | undefined)[]): string => parts.filter(Boolean).join('\n');
