import type { Delivery } from '@hubline/sdk';
import { Countdown } from '../../components/text/countdown.tsx';
import { statusWord } from '../../components/text/status.tsx';
import { formatDuration } from '../../data/formats/format-number.ts';

/** The next attempt of a delivery, as in `attempt 3 in 1:27`; without one, the duration of the last attempt. */
export function AttemptNote({ delivery }: { delivery: Delivery }) {
  const { next_attempt_at: next, last_attempt: last, attempt_count: count, trigger } = delivery;
  if (next !== null)
    return (
      <span class="warn-t">
        attempt {count + 1} <Countdown until={next} />
      </span>
    );
  const took = last === null ? statusWord(delivery.status) : formatDuration(last.duration_ms);
  return <>{trigger === 'test' ? `test, ${took}` : took}</>;
}
