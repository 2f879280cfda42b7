import { unreachableIn } from './client/unreachable.ts';
import { nouns } from './commands/registry.ts';
import { CommandError, Interrupted, Refused } from './errors.ts';
import { EXIT_CODES, exitReasonOf } from './exit-codes.ts';
import { explainFileError } from './file-error.ts';
import type { Host } from './host.ts';
import { createStyle } from './io.ts';
import { visible } from './output/escape.ts';
import { wrap } from './output/wrap.ts';
import { asTyped } from './program-name.ts';
import type { Parsed } from './parser/parse.ts';
import type { ErrorFlags } from './parser/scan.ts';
import type { AnyInput } from './spec/command.ts';

/** An error as it is told, with `--json` exactly so. */
export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly status: number | null;
  readonly request_id: string | null;
  readonly details: readonly { readonly field: string; readonly issue: string }[];
  readonly hint: string | null;
  readonly exit_code: number;
}

const HINTS: Readonly<Record<number, string>> = {
  401: 'Check the key with: hubline auth status',
  403: 'See what this key may do with: hubline whoami',
  429: 'Wait, or allow a longer pause with --max-wait.',
  500: 'Try again. If it stays, show the request id to who runs the server.',
  503: 'Wait a moment and try again. See: hubline server status',
};

const STATUS = 'Try again. Is the server well? See: hubline server status';

/** The only map from errors to exit codes. */
export async function describeError(error: unknown): Promise<ErrorReport> {
  const report = (code: string, message: string, rest: Partial<ErrorReport>): ErrorReport => ({
    code,
    message,
    status: null,
    request_id: null,
    details: [],
    hint: null,
    exit_code: EXIT_CODES.failure.code,
    ...rest,
  });
  if (error instanceof CommandError) {
    return report(error.reason, error.message, { hint: error.hint ?? null, exit_code: error.exitCode });
  }
  const unavailable = (code: string, message: string, hint: string): ErrorReport =>
    report(code, message, { hint, exit_code: EXIT_CODES.unavailable.code });
  const unreachable = unreachableIn(error);
  if (unreachable) return unavailable('connection_error', unreachable.message, unreachable.hint);
  // Whoever throws these errors has loaded the SDK; here it costs nothing more.
  const { isAPIError, isConnectionError, isHublineError, isInvalidResponseError, isTimeoutError } =
    await import('@hubline/sdk');
  if (isAPIError(error)) {
    return report(error.code, error.serverMessage ?? error.message, {
      status: error.status,
      request_id: error.requestId,
      details: error.details,
      hint: HINTS[error.status] ?? null,
      exit_code: EXIT_CODES[exitReasonOf(error.status)].code,
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isConnectionError(error)) {
    return isTimeoutError(error)
      ? unavailable(
          'timeout',
          'The server gave no complete answer in time.',
          'Allow more time with --timeout.',
        )
      : unavailable('connection_error', 'The connection was lost before the answer was complete.', STATUS);
  }
  if (isInvalidResponseError(error)) {
    return unavailable('invalid_response', message, 'Is it the right address? See: hubline config explain');
  }
  // The server's own errors, by name: its package is loaded by the commands that run a server, and only by them.
  const name = error instanceof Error ? error.name : '';
  if (isHublineError(error) || name === 'ConfigError') {
    return report('usage', message, { exit_code: EXIT_CODES.usage.code });
  }
  if (name === 'Fault') {
    const { code, status } = error as Error & { readonly code: string; readonly status: number };
    return report(code, message, { status, exit_code: EXIT_CODES[exitReasonOf(status)].code });
  }
  const file = explainFileError(error);
  if (file) return report('usage', file.message, { hint: file.hint, exit_code: EXIT_CODES.usage.code });
  return report('internal_error', message, {
    hint: 'This looks like a bug. Run it again with --verbose, and report what it prints.',
  });
}

interface Reporting extends ErrorFlags {
  /** The command line that failed; `undefined` where it makes no sense. */
  readonly parsed: Parsed | undefined;
}

/** Tells an error on stderr, with a next step, and returns its exit code. */
export async function reportError(
  { io, env, signal, program }: Host,
  error: unknown,
  { parsed, json, color }: Reporting,
): Promise<number> {
  // A request that the signal ended fails in its own words; the signal is what happened.
  const interruption = signal.aborted ? signal.reason : error;
  if (interruption instanceof Interrupted) return interruption.exitCode;
  const verbose = parsed?.globals.verbose ?? false;
  const described = await describeError(error);
  const report = { ...described, hint: described.hint ?? (await nextStep(described, parsed)) };
  if (json) {
    await io.stderr.write(`${JSON.stringify({ error: report })}\n`);
    return report.exit_code;
  }
  const style = createStyle(io.stderr, { when: color, env });
  // What is to be copied, such as the command of a hint, stays in one piece.
  const width = io.stderr.isTTY ? io.stderr.columns : Infinity;
  const message = wrap(`Error: ${asTyped(visible(report.message), program)}`, width).join('\n');
  const told = error instanceof Refused && error.told;
  const lines = [
    ...(told ? [] : [message.replace('Error:', style.red('Error:'))]),
    // A single one is the message itself.
    ...report.details
      .filter(({ field, issue }) => !saysAlready(report.message, `${field} ${issue}`))
      .map(({ field, issue }) => `  ${visible(field)}: ${visible(issue)}`),
    ...(report.request_id ? [style.dim(`  request ${visible(report.request_id)}`)] : []),
    style.dim(asTyped(report.hint, program)),
    ...(verbose && error instanceof Error && error.stack ? [error.stack] : []),
  ];
  await io.stderr.write(`${lines.join('\n')}\n`);
  return report.exit_code;
}

/** Reports that `text` contains `part`, whatever the punctuation and capitals. */
export const saysAlready = (text: string, part: string): boolean => words(text).includes(words(part));

const words = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, ' ');

/** What the command knows to do about its error, or else where to look. */
async function nextStep(report: ErrorReport, parsed: Parsed | undefined): Promise<string> {
  if (!parsed) return 'See: hubline --help';
  const { command, args, flags } = parsed;
  const cure = command.cure?.(report, { args, flags } as AnyInput);
  if (cure !== undefined) return cure;
  const list = report.status === 404 && command.args ? await listBeside(command.path) : undefined;
  return list === undefined ? `See: hubline ${command.path} --help` : `See which there are: hubline ${list}`;
}

/** The command that lists what this one is about; `undefined` where there is none. */
async function listBeside(path: string): Promise<string | undefined> {
  const [name = ''] = path.split(' ');
  const commands = (await nouns.find((noun) => noun.name === name)?.load())?.commands ?? [];
  return commands.find((each) => each.path === `${name} list`)?.path;
}
