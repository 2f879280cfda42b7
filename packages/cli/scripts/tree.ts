import { nouns } from '../src/commands/registry.ts';
import { describeCommand, type CommandInfo } from '../src/spec/describe-command.ts';
import type { NounEntry } from '../src/spec/noun.ts';

/** A noun with its commands, as data. */
export interface NounInfo {
  readonly noun: NounEntry;
  readonly commands: readonly CommandInfo[];
}

/** The whole tree. */
export function readTree(): Promise<NounInfo[]> {
  return Promise.all(
    nouns.map(async (noun) => ({ noun, commands: (await noun.load()).commands.map(describeCommand) })),
  );
}

/** `hubline member invite [email...] [flags]`. */
export function usageOf({ path, args }: CommandInfo): string {
  const terms = args.map(({ name, optional, variadic }) => {
    const text = `${name}${variadic ? '...' : ''}`;
    return optional ? `[${text}]` : `<${text}>`;
  });
  return ['hubline', path, ...terms, '[flags]'].join(' ');
}

type FlagInfo = CommandInfo['flags'][number];

/** `-F, --file <file|->`. */
export function flagTerm(flag: FlagInfo): string {
  const short = flag.short ? `-${flag.short}, ` : '';
  if (flag.name === 'json') return '--json[=fields]';
  return flag.type === 'boolean' ? `${short}--${flag.name}` : `${short}--${flag.name} <${flag.value}>`;
}

/** What a flag is, and what it takes. */
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
