import type { CatchUpPosition, CatchUpStep } from './provider.ts';
import type { JsonAnswer } from './wire/json-api.ts';

/** A call that the provider made, as its log tells it. */
export interface LoggedCall {
  /** Later calls have higher ones. */
  id: number;
  /** The dedupe key that it came or comes with; `null` where the log does not tell. */
  dedupeKey: string | null;
  failed: boolean;
  /** `null`: the log does not tell. */
  at: Date | null;
}

/** A page of the log, newest first, or the answer that refused it. */
export type LogPage =
  | { ok: true; calls: readonly LoggedCall[]; next: string | null }
  | { ok: false; answer: JsonAnswer };

/** The calls that a provider remembers, and can make again. */
export interface CallLog {
  /** `null`: the first one. */
  page(cursor: string | null): Promise<LogPage>;
  /** Makes a call again. The answer says whether it will. */
  repeat(call: LoggedCall): Promise<JsonAnswer>;
  /** How many calls a step may have made again, and how long to wait before the next. */
  batch: { calls: number; pauseMs: number };
  refusal(answer: JsonAnswer): Extract<CatchUpStep, { ok: false }>;
}

/**
 * Lets the provider make again what failed and did not come in, from the newest to the oldest. Ids tell how far it is: calls that are
 * made again are at the top of the log, where it has been.
 */
export async function repeatFailedCalls(
  log: CallLog,
  { since, cursor, known }: CatchUpPosition,
): Promise<CatchUpStep> {
  const { below, page } = readCursor(cursor);
  const listed = await log.page(page);
  if (!listed.ok) return log.refusal(listed.answer);
  const recent = listed.calls.filter(({ at }) => at === null || at >= since);
  const failed = recent.filter(({ id, failed }) => failed && id < below);
  const came = await known(failed.flatMap(({ dedupeKey }) => dedupeKey ?? []));
  const missing = failed.filter(({ dedupeKey }) => dedupeKey === null || !came.has(dedupeKey));
  const repeated = missing.slice(0, log.batch.calls);
  let called = 0;
  for (const call of repeated) {
    const answer = await log.repeat(call);
    // Gone from the log, or of a kind that is not made again: nothing that a next try would change.
    const isGone = answer.status === 404 || answer.status === 422;
    if (answer.status >= 400 && !isGone) return log.refusal(answer);
    if (!isGone) called += 1;
  }
  const step = { ok: true, events: [], called } as const;
  const { pauseMs } = log.batch;
  if (repeated.length < missing.length)
    return { ...step, cursor: writeCursor(repeated.at(-1)?.id ?? below, page), pauseMs };
  const isOver = listed.next === null || recent.length < listed.calls.length;
  if (isOver) return { ...step, cursor: null };
  const next = writeCursor(Math.min(below, ...listed.calls.map(({ id }) => id)), listed.next);
  return { ...step, cursor: next, ...(repeated.length > 0 ? { pauseMs } : {}) };
}

const writeCursor = (below: number, page: string | null) => `${below} ${page ?? ''}`;

function readCursor(cursor: string | null): { below: number; page: string | null } {
  const [below = '', page = ''] = cursor?.split(' ') ?? [];
  return { below: below === '' ? Number.POSITIVE_INFINITY : Number(below), page: page === '' ? null : page };
}
