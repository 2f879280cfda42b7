/** What became of one attempt. */
export interface Answer {
  /** The HTTP status, or the exit code of a command; `null` without an answer. */
  readonly status: number | null;
  readonly ok: boolean;
  /** Why there was no answer, or why it counts as a failure. */
  readonly error: string | null;
  readonly headers: Readonly<Record<string, string>> | null;
  /** The first 4 KiB of the answer. */
  readonly body: string | null;
}

/** Sends one call, once. Never throws, except for the signal's sake. */
export type Send = (
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Answer>;

/** A failure before there was an answer. */
export function unanswered(error: string): Answer {
  return { status: null, ok: false, error, headers: null, body: null };
}
