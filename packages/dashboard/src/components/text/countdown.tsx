import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatAbsolute } from './time-ago.tsx';

const TICK_MS = 1_000;

/** `1:27`, `0:05`, and `3 h 10 min` where seconds do not matter. */
export function formatCountdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The time until something happens, to the second; the exact time is in its tooltip. */
export function Countdown({ until }: { until: string }) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const left = Date.parse(until) - now.value;
  return (
    <time class="nowrap num" dateTime={until} title={formatAbsolute(until)}>
      {left < TICK_MS ? 'now' : `in ${formatCountdown(left)}`}
    </time>
  );
}
