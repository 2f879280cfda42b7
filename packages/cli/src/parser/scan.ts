import type { Command } from '../spec/command.ts';
import type { Flag, FlagTable } from '../spec/flag.ts';
import { GLOBAL_FLAGS, type Globals } from '../spec/global-flags.ts';
import { allFlags } from '../spec/terms.ts';

/** The parts of the command line that are known before a noun is loaded. */
interface Scanned {
  /** The words in front: `['member', 'list']`. */
  readonly words: string[];
  /** The rest, with flags that stood before the words moved after them. */
  readonly rest: string[];
}

/** Reports whether `token` is a flag of the table whose value is the next token. */
function takesNext(token: string, flags: FlagTable): boolean {
  const found = Object.entries(flags).find(
    ([name, flag]: [string, Flag]) =>
      token === `--${name}` || (flag.short !== undefined && token === `-${flag.short}`),
  );
  // `--json` has an optional value, which only ever follows `=`: otherwise it would swallow the argument after it.
  return found !== undefined && found[1].type !== 'boolean' && found[0] !== 'json';
}

/**
 * Splits off the first `count` words. Global flags may stand before and between them: `hubline -w acme member list` is
 * `hubline member list -w acme`.
 */
export function scan(argv: readonly string[], count: number): Scanned {
  const words: string[] = [];
  const flags: string[] = [];
  let index = 0;
  for (; index < argv.length && words.length < count; index += 1) {
    const token = argv[index] ?? '';
    if (token === '--') break;
    if (!token.startsWith('-')) {
      words.push(token);
      continue;
    }
    flags.push(token);
    const next = argv[index + 1];
    if (takesNext(token, GLOBAL_FLAGS) && next !== undefined) {
      flags.push(next);
      index += 1;
    }
  }
  return { words, rest: [...flags, ...argv.slice(index)] };
}

/**
 * Writes `--json` as `--json=*`, and `--json id,name` as `--json=id,name`, the forms that the parser knows. A word after `--json`
 * belongs to it if it names fields of the command and is no value that an argument takes. Values of other flags stay as they are.
 */
export function expandJson(
  argv: readonly string[],
  command: Pick<Command, 'args' | 'flags' | 'view'>,
): string[] {
  const expanded: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const token = argv[index] ?? '';
    const next = argv[index + 1];
    if (token === '--') return [...expanded, ...argv.slice(index)];
    if (token === '--json') {
      const selects = next !== undefined && namesFields(next, command);
      expanded.push(selects ? `--json=${next}` : '--json=*');
      if (selects) index += 1;
      continue;
    }
    expanded.push(token);
    if (takesNext(token, allFlags(command)) && next !== undefined) {
      expanded.push(next);
      index += 1;
    }
  }
  return expanded;
}

function namesFields(word: string, { args = {}, view }: Pick<Command, 'args' | 'view'>): boolean {
  if (Object.values(args).some(({ choices }) => choices?.includes(word))) return false;
  // A list with commas is one of fields, even if one of them is a typing mistake, which is then reported.
  if (/^\w[\w.]*(?:,\w[\w.]*)+$/.test(word)) return view.fields.length > 0;
  return view.fields.includes(word.split('.')[0] ?? '');
}

/** The flags that decide how errors are printed. They count even when the rest of the command line makes no sense. */
export interface ErrorFlags {
  readonly json: boolean;
  readonly color: Globals['color'];
}

/** Reads the flags for errors from a command line that may not parse. */
export function errorFlags(argv: readonly string[]): ErrorFlags {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  const json = flags.some(
    (token, index) =>
      /^--(?:json(?:=.*)?|ndjson|output=(?:nd)?json)$/.test(token) ||
      (/^(?:-o|--output)$/.test(token) && /^(?:nd)?json$/.test(flags[index + 1] ?? '')) ||
      /^-o(?:nd)?json$/.test(token),
  );
  const colors = flags.map((token, index) =>
    token === '--color' ? flags[index + 1] : /^--color=(.*)$/.exec(token)?.[1],
  );
  const color = GLOBAL_FLAGS.color.choices.find((choice) => colors.includes(choice)) ?? 'auto';
  return { json, color };
}
