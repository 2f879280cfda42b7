import { nouns } from '../src/commands/registry.ts';
import { describeCommand, type CommandInfo } from '../src/spec/describe-command.ts';
import type { NounEntry } from '../src/spec/command.ts';
import { flagTerm as termOf, usageLine } from '../src/spec/terms.ts';

/** A noun with its commands, as data. */
export interface NounInfo {
  readonly noun: NounEntry;
  readonly commands: readonly CommandInfo[];
}

/** Reads the whole tree of commands. */
export function readTree(): Promise<NounInfo[]> {
  return Promise.all(
    nouns.map(async (noun) => ({ noun, commands: (await noun.load()).commands.map(describeCommand) })),
  );
}

/** `hubline member invite [email...] [flags]`. */
export function usageOf({ path, args }: CommandInfo): string {
  return usageLine({ path, args: Object.fromEntries(args.map(({ name, ...argument }) => [name, argument])) });
}

type FlagInfo = CommandInfo['flags'][number];

/** `-F, --file <file|->`. */
export const flagTerm = ({ name, ...flag }: FlagInfo): string => termOf(name, flag);

/** The description of a flag, with its choices and its default. */
export function flagText(flag: FlagInfo): string {
  if (flag.type === 'boolean') return `${flag.summary}.`;
  const notes = [
    flag.choices && `One of ${flag.choices.join(', ')}.`,
    flag.default !== undefined && `Default ${flag.default}.`,
    flag.required && 'Required.',
    flag.repeatable && 'Can be repeated.',
  ].filter(Boolean);
  return [`${flag.summary}.`, ...notes].join(' ');
}
