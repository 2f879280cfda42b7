import { asTyped, storageOf } from '../as-typed.ts';
import { nouns } from '../commands/registry.ts';
import type { Host } from '../host.ts';
import { PROGRAM } from '../program-name.ts';
import type { Parsed } from '../parser/parse.ts';
import type { ErrorFlags } from '../parser/scan.ts';
import type { AnyInput } from '../spec/command.ts';
import { createStyle } from '../terminal/io.ts';
import { visible, visibleLines, wrap, writeJson } from '../terminal/text.ts';
import { describeError, type ErrorReport } from './describe-error.ts';
import { Interrupted, Refused } from './errors.ts';
import { listOf } from './list-of.ts';
import { asWorded } from './name-typed.ts';

interface Reporting extends ErrorFlags {
  /** The command line that failed; `undefined` if it could not be parsed. */
  readonly parsed: Parsed | undefined;
}

/** Prints an error on stderr, with a next step, and returns its exit code. */
export async function reportError(
  { io, env, signal, program }: Host,
  error: unknown,
  { parsed, json, color }: Reporting,
): Promise<number> {
  // A request that the signal ended fails with its own message; the cause is the signal.
  const interruption = signal.aborted ? signal.reason : error;
  if (interruption instanceof Interrupted) return interruption.exitCode;
  const verbose = parsed?.globals.verbose ?? false;
  const described = await describeError(error);
  const report = { ...described, hint: described.hint ?? (await nextStep(described, parsed)) };
  const line = { program, globals: parsed?.globals, storage: parsed && storageOf(parsed) };
  if (json) {
    // A program gets commands that start with `hubline`, however this one was started, for the same server and the same storage.
    const named = { ...line, program: PROGRAM };
    const typed = { message: asTyped(report.message, named), hint: asTyped(report.hint, named) };
    await writeJson(io.stderr, { error: { ...report, ...typed } });
    return report.exit_code;
  }
  const style = createStyle(io.stderr, { when: color, env });
  // Text to be copied, such as the command of a hint, stays in one piece.
  const width = io.stderr.isTTY ? io.stderr.columns : Infinity;
  const worded = asWorded(report, parsed);
  const message = wrap(`Error: ${asTyped(visible(worded.message), line)}`, width).join('\n');
  const isPrinted = error instanceof Refused && error.isPrinted;
  const lines = [
    ...(isPrinted ? [] : [message.replace('Error:', style.red('Error:'))]),
    ...worded.more.map((detail) => `  ${visible(detail)}`),
    ...(report.request_id ? [style.dim(`  request ${visible(report.request_id)}`)] : []),
    style.dim(asTyped(visibleLines(report.hint), line)),
    ...(verbose && error instanceof Error && error.stack ? [visibleLines(error.stack)] : []),
  ];
  await io.stderr.write(`${lines.join('\n')}\n`);
  return report.exit_code;
}

/** The command's own cure for its error, or else a place to look. */
async function nextStep(report: ErrorReport, parsed: Parsed | undefined): Promise<string> {
  if (!parsed) return 'See: hubline --help';
  const { command, args, flags } = parsed;
  const cure = command.cure?.(report, { args, flags } as AnyInput);
  if (cure !== undefined) return cure;
  const list = report.status === 404 ? await listFor(report, parsed) : undefined;
  return list === undefined ? `See: hubline ${command.path} --help` : `List them: hubline ${list}`;
}

/** The command that lists the kind of thing that was not found; `undefined` if there is none. */
async function listFor({ message }: ErrorReport, { command, args }: Parsed): Promise<string | undefined> {
  const list = listOf(message, args);
  // A server of another version may word this differently. A command with arguments then concerns one of the things of its noun.
  return list === null && command.args ? listBeside(command.path) : (list ?? undefined);
}

/** The command that lists the things that this one is about; `undefined` if there is none. */
async function listBeside(path: string): Promise<string | undefined> {
  const [name = ''] = path.split(' ');
  const commands = (await nouns.find((noun) => noun.name === name)?.load())?.commands ?? [];
  return commands.find((each) => each.path === `${name} list`)?.path;
}
