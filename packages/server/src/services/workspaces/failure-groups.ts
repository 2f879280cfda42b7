import type { EndpointOutput } from '@hubline/contract';
import type { StatsGroupRow } from '../../db/workspaces/stats-groups.ts';

type Failure = EndpointOutput<'webhooks.stats'>['failures'][number] & { webhook_id: string };

/**
 * Failed attempts by webhook and cause, the most frequent first. The groups come oldest first, so that the latest
 * message is kept; `partOf` has the part of the window for each of its buckets.
 */
export function failuresOf(groups: readonly StatsGroupRow[], partOf: ReadonlyMap<string, number>): Failure[] {
  const parts = new Set(partOf.values()).size;
  const failures = new Map<string, Failure>();
  for (const group of groups) {
    const key = causeKey(group);
    const failure = failures.get(key) ?? {
      webhook_id: group.webhook_id,
      ...causeOf(group.name),
      message: null,
      attempts: 0,
      parts: Array.from({ length: parts }, () => 0),
      first_at: group.first_at,
      last_at: group.last_at,
    };
    failures.set(key, failure);
    const part = partOf.get(group.at) ?? 0;
    failure.parts[part] = (failure.parts[part] ?? 0) + group.count;
    failure.attempts += group.count;
    failure.last_at = group.last_at;
    failure.message = group.message;
  }
  return [...failures.values()].sort((a, b) => b.attempts - a.attempts);
}

/** The name of a cause, over all webhooks. */
export const causeKey = ({ webhook_id, name }: Pick<StatsGroupRow, 'webhook_id' | 'name'>): string =>
  `${webhook_id} ${name}`;

/** A response status or a kind of error, from the name of a cause. */
const causeOf = (name: string): Pick<Failure, 'response_status' | 'error_kind'> =>
  /^\d+$/.test(name)
    ? { response_status: Number(name), error_kind: null }
    : { response_status: null, error_kind: name as Failure['error_kind'] };
