import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatAbsolute } from './time-ago.tsx';

const TICK_MS = 1_000;

/** `45 s`, `2 min 5 s`, `3 h 10 min`. */
function formatCountdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  if (minutes === 0) return `${seconds} s`;
  return seconds % 60 > 0 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
}

/** How long it is until something happens, to the second; the exact time is in its tooltip. */
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
