import { EXIT_CODES, type ExitReason } from './exit-codes.ts';

/** A command ended for a reason that the user can act on. The message names the problem, the hint the cure. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly reason: ExitReason;
  /** The next step, as one line. */
  readonly hint: string | undefined;

  constructor(reason: ExitReason, message: string, hint?: string) {
    super(message);
    this.reason = reason;
    this.hint = hint;
  }

  get exitCode(): number {
    return EXIT_CODES[this.reason].code;
  }
}

/** The error of a check that failed. */
export class Refused extends CommandError {
  /** True if the output has the message already, so that only the hint is left to print. */
  readonly isPrinted: boolean;

  constructor(message: string, hint: string, isPrinted: boolean) {
    super('check_failed', message, hint);
    this.isPrinted = isPrinted;
  }
}

/** The error for wrong or missing input, found before anything was sent. */
export function usageError(message: string, hint?: string): CommandError {
  return new CommandError('usage', message, hint);
}

/** The error for a question that was answered with no. */
export function cancelled(outcome = 'nothing was changed', flag = '--yes'): CommandError {
  return new CommandError('usage', `Cancelled: ${outcome}.`, `To skip the question: ${flag}`);
}

/** The error for several items of which only some were done. */
export function partly(message: string): CommandError {
  return new CommandError('partial', message, 'The output has the reason for each.');
}

const EXIT_REASON = { SIGINT: 'interrupted', SIGTERM: 'terminated', SIGHUP: 'hung_up' } as const;

/** A signal that ends a command in an orderly way: Ctrl-C, a service manager, or a terminal that closes. */
export type EndingSignal = keyof typeof EXIT_REASON;
export const ENDING_SIGNALS = Object.keys(EXIT_REASON) as readonly EndingSignal[];

/** The error for one of these signals. It ends a command without an error message. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  constructor(signal: EndingSignal) {
    super(`Stopped by ${signal}.`);
    this.exitCode = EXIT_CODES[EXIT_REASON[signal]].code;
  }
}
