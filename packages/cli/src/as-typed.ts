import { nouns, SHORTCUTS } from './commands/registry.ts';
import { PROGRAM } from './program-name.ts';
import { shellWord } from './terminal/shell-word.ts';
import type { Parsed } from './parser/parse.ts';
import type { Globals } from './spec/global-flags.ts';

/** The parts of the typed line that its hints repeat. */
export interface TypedLine {
  /** The words that started the program. */
  readonly program: string;
  /** The flags that named a server and a workspace. */
  readonly globals?: Partial<Pick<Globals, 'workspace' | 'context' | 'baseUrl'>> | undefined;
  /** The flags that named the storage of a server. */
  readonly storage?: Storage | undefined;
}

interface Storage {
  readonly data?: string | undefined;
  readonly databaseUrl?: string | undefined;
}

/** The flags of a line that name the storage of a server. Another command may have a `--data` of its own. */
export function storageOf({ command, flags }: Pick<Parsed, 'command' | 'flags'>): Storage {
  return command.flags && 'database-url' in command.flags ? flags : {};
}

const WORDS = [...nouns.map(({ name }) => name), ...Object.keys(SHORTCUTS)].join('|');
/** The program's name at the start of a command. Its group is the rest of the command: up to the end of the clause, or the next command. */
const COMMAND = new RegExp(
  String.raw`(?<![\w/.-])${PROGRAM}(?= (?:${WORDS})\b)(?=((?:(?! ${PROGRAM} |[.,;:] ).)*))`,
  'g',
);
/** A command that works on the storage of a server, and the rest of its clause. */
const ON_STORAGE = new RegExp(
  String.raw`(?<![\w/.-])${PROGRAM} (?:server (?!status\b)|backup )[a-z-]+(?=((?:(?! ${PROGRAM} |[.,;:] ).)*))`,
  'g',
);

/** The commands that call no server. */
const LOCAL =
  /^ (?:server(?! status)|service|backup|context|signature|replay|completion|commands|upgrade|version|help)\b/;

/** Rewrites the commands in a text as they must be typed here to reach the server and the storage that the typed line named. */
export function asTyped(text: string, { program, globals = {}, storage = {} }: TypedLine): string {
  // Functions, because a path may hold `$&`.
  return text
    .replace(ON_STORAGE, (command, rest: string) => [command, ...storageFlags(rest, storage)].join(' '))
    .replace(COMMAND, (_name, command: string) => [program, ...connection(command, globals)].join(' '));
}

/** The flags that a command with these words after its verb needs to work on the same storage. */
function storageFlags(rest: string, { data, databaseUrl }: Storage): string[] {
  if (/ (?:--data|--database-url|--help|-h)\b/.test(rest)) return [];
  // A URL with a password must not be shown.
  const url = databaseUrl?.includes('@') ? '…' : databaseUrl;
  return [
    ...(data === undefined ? [] : [`--data ${shellWord(data)}`]),
    ...(url === undefined ? [] : [`--database-url ${url === '…' ? url : shellWord(url)}`]),
  ];
}

/** The flags that `command` needs to reach the server that the typed line reached. */
function connection(
  command: string,
  { baseUrl, context, workspace }: NonNullable<TypedLine['globals']>,
): string[] {
  if (LOCAL.test(command) || / (?:--help|-h)\b/.test(command)) return [];
  const namesServer = /\blogin [^\s-]/.test(command);
  return Object.entries({
    // A URL with a password is refused, and must not be shown.
    'base-url': namesServer || baseUrl?.includes('@') ? undefined : baseUrl,
    context,
    // A command about workspaces names its own.
    workspace: command.startsWith(' workspace ') ? undefined : workspace,
  }).flatMap(([name, value]) =>
    value === undefined || `${command} `.includes(` --${name} `) ? [] : [`--${name} ${shellWord(value)}`],
  );
}
