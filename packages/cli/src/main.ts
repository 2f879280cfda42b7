import { API_KEY_PATTERN } from '@hubline/contract/constants';
import { storageOf } from './as-typed.ts';
import { nouns } from './commands/registry.ts';
import { createContext } from './create-context.ts';
import { usageError } from './errors/errors.ts';
import { reportError } from './errors/report-error.ts';
import { execute } from './execute.ts';
import type { Host } from './host.ts';
import { completeInput } from './parser/complete-input.ts';
import { parse, type Parsed } from './parser/parse.ts';
import { errorFlags } from './parser/scan.ts';
import { version } from './about.ts';

/** Help wider than this is hard to read. */
const HELP_WIDTH = 100;

/** Runs one command line and returns its exit code. */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  const { io, now } = host;
  let parsed: Parsed | undefined;
  try {
    if (argv[0] === '--version') {
      await io.stdout.write(`${version}\n`);
      return 0;
    }
    refuseKey(argv);
    const width = Math.min(io.stdout.columns, HELP_WIDTH);
    const found = await parse(argv, { nouns, now: now(), width });
    if ('help' in found) {
      await printHelp(host, found.help, argv);
      return 0;
    }
    parsed = found;
    const fields = askedForFields(parsed);
    if (fields) {
      await io.stdout.write(fields.map((field) => `${field}\n`).join(''));
      return 0;
    }
    const ctx = createContext(host, parsed.globals, storageOf(parsed));
    const input = await completeInput(ctx, parsed);
    if (input !== null) await execute(ctx, parsed.command, input);
    if (ctx.oneFile) {
      const { noticeUpgrade } = await import('./commands/upgrade/notice.ts');
      await noticeUpgrade(ctx, parsed.command);
    }
    return 0;
  } catch (error) {
    return reportError(host, error, { parsed, ...errorFlags(argv) });
  }
}

async function printHelp(host: Host, help: string, argv: readonly string[]): Promise<void> {
  if (!host.io.stdout.isTTY) return host.io.stdout.write(help);
  const { pagedSink } = await import('./output/sinks.ts');
  const sink = pagedSink(host, { noPager: argv.includes('--no-pager'), stop: false });
  await sink.write(help);
  await sink.finish();
}

/** The fields that `--json=` lists; `undefined` if it was not asked for, or if any response is possible. */
function askedForFields({ command: { view }, globals }: Parsed): readonly string[] | undefined {
  return globals.json?.trim() === '' && view.fields.length > 0 ? view.fields : undefined;
}

const API_KEY = new RegExp(String.raw`\b${API_KEY_PATTERN}\b`);

/** Refuses a key on the command line: it is already in the shell's history and in `ps`. */
function refuseKey(argv: readonly string[]): void {
  if (!argv.some((token) => API_KEY.test(token))) return;
  throw usageError(
    "There is an API key on the command line, where ps and the shell's history show it. Consider it leaked.",
    'Use hubline auth login, --with-key to read stdin, or HUBLINE_API_KEY.',
  );
}
