import type { Delivery } from '@hubline/sdk';

/** Calls of one webhook that went wrong in the same way. */
export interface FailureGroup {
  readonly webhookId: string;
  readonly status: number | null;
  readonly error: string | null;
  /** The words of the other side; absent where they are not known. */
  readonly message?: string | null;
  readonly count: number;
  /** How many fell into each of equal parts of a span that ends now. */
  readonly parts: readonly number[];
  readonly first: string;
  readonly last: string;
}

const PARTS = 24;

const isGood = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Groups deliveries that failed or wait for a retry by webhook and answer, the largest group first. */
export function groupFailures(items: readonly Delivery[], now = Date.now()): readonly FailureGroup[] {
  const groups = new Map<string, [Delivery, ...Delivery[]]>();
  for (const delivery of items) {
    const { last_attempt: last, webhook_id: webhook } = delivery;
    if (last === null || isGood(last.response_status)) continue;
    const key = `${webhook} ${last.response_status ?? last.error_kind}`;
    groups.set(key, [delivery, ...(groups.get(key) ?? [])]);
  }
  const failures = [...groups.values()].map((deliveries) => ({
    deliveries,
    times: deliveries.map(({ last_attempt, created_at }) => last_attempt?.at ?? created_at).toSorted(),
  }));
  const since = Math.min(...failures.map(({ times }) => Date.parse(times[0] ?? '')));
  return failures
    .map(({ deliveries: [{ webhook_id, last_attempt: last }], times }) => ({
      webhookId: webhook_id,
      status: last?.response_status ?? null,
      error: last?.error_kind ?? null,
      count: times.length,
      parts: inParts(times, since, now),
      first: times[0] ?? '',
      last: times.at(-1) ?? '',
    }))
    .toSorted((a, b) => b.count - a.count);
}

function inParts(times: readonly string[], since: number, until: number): number[] {
  const parts = Array.from({ length: PARTS }, () => 0);
  for (const time of times) {
    const part = Math.floor(((Date.parse(time) - since) / Math.max(until - since, 1)) * PARTS);
    const index = Math.min(Math.max(part, 0), PARTS - 1);
    parts[index] = (parts[index] ?? 0) + 1;
  }
  return parts;
}
