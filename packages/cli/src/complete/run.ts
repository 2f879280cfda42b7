import { createContext } from '../create-context.ts';
import type { Host } from '../host.ts';
import { scan } from '../parser/scan.ts';
import type { Globals } from '../spec/global-flags.ts';
import { visible } from '../terminal/text.ts';
import { type Candidate, complete } from './complete.ts';

/** The longest wait for the API: a shell freezes until it has its response. */
const PATIENCE_MS = 1_500;

/**
 * `hubline __complete <words...>`, which the scripts of `hubline completion` call: a line for each word that fits, `word<tab>summary`, and
 * last `:files` or `:words`. It never fails: a shell would show the message in the middle of what is being typed.
 */
export async function runComplete(typed: readonly string[], host: Host): Promise<number> {
  // Windows PowerShell drops empty arguments, so its script sends quotes for one.
  const line = typed.map((word) => (word === '""' ? '' : word));
  const { candidates, files, things, prefix } = await complete(line);
  const current = line.at(-1) ?? '';
  const known = things === undefined ? [] : await ask(things, line, host);
  const fitting = [...candidates, ...known]
    .map(({ word, summary = '' }) => ({ word: prefix + word, summary }))
    .filter(({ word }) => word.startsWith(current))
    .filter(({ word }, index, all) => all.findIndex((other) => other.word === word) === index);
  const text = fitting.map(({ word, summary }) => `${visible(word)}\t${visible(summary)}\n`).join('');
  await host.io.stdout.write(`${text}${files ? ':files' : ':words'}\n`);
  return 0;
}

async function ask(things: string, line: readonly string[], host: Host): Promise<readonly Candidate[]> {
  const signal = AbortSignal.any([host.signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const { thingsOf } = await import('./things.ts');
    return await thingsOf(createContext({ ...host, signal }, globalsOf(line)), things);
  } catch {
    return [];
  }
}

/** The flags of a half-typed line that decide which server and workspace it is about. */
function globalsOf(line: readonly string[]): Globals {
  const { rest } = scan(line.slice(0, -1), 2);
  const value = (...names: string[]): string | undefined => {
    for (const [index, token] of rest.entries()) {
      if (names.includes(token)) return rest[index + 1];
      const assigned = names.find((name) => token.startsWith(`${name}=`));
      if (assigned !== undefined) return token.slice(assigned.length + 1);
    }
    return undefined;
  };
  return {
    workspace: value('-w', '--workspace'),
    context: value('--context'),
    baseUrl: value('--base-url'),
    json: undefined,
    jq: undefined,
    template: undefined,
    ndjson: false,
    output: undefined,
    quiet: true,
    verbose: false,
    color: 'never',
    noInput: true,
    yes: false,
    dryRun: false,
    noPager: true,
    timeout: undefined,
    retries: 0,
    maxWait: undefined,
    idempotencyKey: undefined,
    requestIdFile: undefined,
  };
}
