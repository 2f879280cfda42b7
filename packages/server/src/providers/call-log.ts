import { memberText } from '../domain/json/json.ts';
import type { SyncPosition, SyncStep } from './provider.ts';
import type { JsonResponse } from './wire/json-api.ts';

/** A call that the provider made, as its log describes it. */
export interface LoggedCall {
  /** Later calls have higher IDs, with more digits than a number holds. */
  id: bigint;
  /** The dedupe key of the call; `null` when the log does not say. */
  dedupeKey: string | null;
  failed: boolean;
  /** `null` when the log does not say. */
  at: Date | null;
}

/** The `id` of a JSON object, with every digit; `undefined` when there is none. */
export function exactId(text: string): bigint | undefined {
  const id = memberText(text, ['id']);
  return id !== undefined && /^\d{1,40}$/.test(id) ? BigInt(id) : undefined;
}

/** A page of the log, newest first, or the response that refused it. */
export type LogPage =
  | { ok: true; calls: readonly LoggedCall[]; next: string | null }
  | { ok: false; response: JsonResponse };

/** The calls that a provider remembers, and can make again. */
export interface CallLog {
  /** Returns a page of the log. `null` asks for the first one. */
  page(cursor: string | null): Promise<LogPage>;
  /** Asks the provider to repeat a call. The response says whether it will. */
  repeat(call: LoggedCall): Promise<JsonResponse>;
  /** The most calls that one step repeats, and the wait before the next step. */
  batch: { calls: number; pauseMs: number };
  refusal(response: JsonResponse): Extract<SyncStep, { ok: false }>;
}

/**
 * Asks the provider to repeat failed calls that did not arrive, newest first. The position is an ID, because repeated
 * calls appear at the top of the log, above the part that is still to be read.
 */
export async function repeatFailedCalls(
  log: CallLog,
  { since, cursor, known }: SyncPosition,
): Promise<SyncStep> {
  const { below, page } = readCursor(cursor);
  const listed = await log.page(page);
  if (!listed.ok) return log.refusal(listed.response);
  const recent = listed.calls.filter(({ at }) => at === null || at >= since);
  const failed = recent.filter(({ id, failed }) => failed && (below === null || id < below));
  const came = await known(failed.flatMap(({ dedupeKey }) => dedupeKey ?? []));
  const missing = failed.filter(({ dedupeKey }) => dedupeKey === null || !came.has(dedupeKey));
  const repeated = missing.slice(0, log.batch.calls);
  let called = 0;
  for (const call of repeated) {
    const response = await log.repeat(call);
    // The call is gone from the log, or of a kind that is never repeated: another attempt would change nothing.
    const isGone = response.status === 404 || response.status === 422;
    if (response.status >= 400 && !isGone) return log.refusal(response);
    if (!isGone) called += 1;
  }
  const step = { ok: true, events: [], called } as const;
  const { pauseMs } = log.batch;
  const last = repeated.at(-1);
  if (last && repeated.length < missing.length)
    return { ...step, cursor: writeCursor(last.id, page), pauseMs };
  const isOver = listed.next === null || recent.length < listed.calls.length;
  if (isOver) return { ...step, cursor: null };
  const lowest = listed.calls.reduce((least, { id }) => (least === null || id < least ? id : least), below);
  const next = writeCursor(lowest, listed.next);
  return { ...step, cursor: next, ...(repeated.length > 0 ? { pauseMs } : {}) };
}

const writeCursor = (below: bigint | null, page: string | null) => `${below ?? ''} ${page ?? ''}`;

function readCursor(cursor: string | null): { below: bigint | null; page: string | null } {
  const [below = '', page = ''] = cursor?.split(' ') ?? [];
  return { below: below === '' ? null : BigInt(below), page: page === '' ? null : page };
}
