import type { Delivery } from '@hubline/sdk';
import type { AttemptErrorKind } from './delivery-statuses.ts';

/** Deliveries of one webhook whose last attempt went wrong in the same way. */
export interface FailureGroup {
  readonly key: string;
  readonly webhookId: string;
  readonly status: number | null;
  readonly error: AttemptErrorKind | null;
  /** Newest first. */
  readonly deliveries: readonly Delivery[];
  readonly first: string;
  readonly last: string;
}

const isGood = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Groups what failed or waits for a retry by webhook and answer, the largest group first. */
export function groupFailures(items: readonly Delivery[]): readonly FailureGroup[] {
  const groups = new Map<string, Delivery[]>();
  for (const delivery of items) {
    const { last_attempt: last, webhook_id: webhook } = delivery;
    if (last === null || isGood(last.response_status)) continue;
    const key = `${webhook} ${last.response_status ?? last.error_kind}`;
    groups.set(key, [...(groups.get(key) ?? []), delivery]);
  }
  return [...groups]
    .map(([key, deliveries]) => {
      const times = deliveries
        .map(({ last_attempt, created_at }) => last_attempt?.at ?? created_at)
        .toSorted();
      const [newest] = deliveries;
      return {
        key,
        webhookId: newest?.webhook_id ?? '',
        status: newest?.last_attempt?.response_status ?? null,
        error: (newest?.last_attempt?.error_kind ?? null) as AttemptErrorKind | null,
        deliveries,
        first: times[0] ?? '',
        last: times.at(-1) ?? '',
      };
    })
    .toSorted((a, b) => b.deliveries.length - a.deliveries.length);
}

/** A time, in milliseconds since the epoch. */
interface Span {
  readonly since: number;
  readonly until: number;
}

/** How many of a group's attempts fell into each of `count` equal parts of a span. */
export function inParts({ deliveries }: FailureGroup, { since, until }: Span, count: number): number[] {
  const parts = Array.from({ length: count }, () => 0);
  for (const { last_attempt, created_at } of deliveries) {
    const at = Date.parse(last_attempt?.at ?? created_at);
    const part = Math.floor(((at - since) / Math.max(until - since, 1)) * count);
    const index = Math.min(Math.max(part, 0), count - 1);
    parts[index] = (parts[index] ?? 0) + 1;
  }
  return parts;
}
