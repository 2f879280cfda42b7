import type { Delivery } from '@hubline/sdk';
import { formatDuration } from '../../data/format-number.ts';

/** The code or the error of the last attempt, and how long it took. */
export function LastResult({ delivery: { last_attempt: last } }: { delivery: Delivery }) {
  if (last === null) return <span class="faint">none yet</span>;
  return (
    <span class="num">
      {last.response_status ?? last.error_kind} in {formatDuration(last.duration_ms)}
    </span>
  );
}
