import type { DeliveryDetail } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatCountdown } from '../../components/text/countdown.tsx';
import { Time } from '../../components/text/time.tsx';
import { attemptNumber } from '../../data/formats/attempt-number.ts';

const AROUND = 2 * Math.PI * 17;

/** Counts down to the next attempt. */
export function NextAttempt({ delivery, at }: { delivery: DeliveryDetail; at: string }) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const last = delivery.attempts.at(-1);
  const from = Date.parse(last?.started_at ?? delivery.created_at);
  const left = Math.max(0, Date.parse(at) - now.value);
  const share = Math.min(1, left / Math.max(Date.parse(at) - from, 1));
  return (
    <div class="countdown" role="timer" aria-label={`Next attempt in ${formatCountdown(left)}`}>
      <svg class="dial" viewBox="0 0 40 40" aria-hidden="true">
        <circle cx="20" cy="20" r="17" />
        <circle class="v" cx="20" cy="20" r="17" stroke-dasharray={`${share * AROUND} ${AROUND}`} />
      </svg>
      <div>
        <span class="big">{left < 1_000 ? 'now' : formatCountdown(left)}</span>
        <small>
          until attempt {attemptNumber(delivery.attempt_count + 1)}, at <Time value={at} />
        </small>
      </div>
    </div>
  );
}
