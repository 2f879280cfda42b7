import type { StatsQueue, StatsWindow, WebhookStats } from '@hubline/contract/types';
import { type Screen, sparkline } from './screen.ts';
import { breakLines } from '../terminal/text.ts';
import { duration } from './time.ts';

/** The flag of every command that shows statistics. */
export const WINDOW_FLAG = {
  type: 'text',
  value: 'window',
  choices: ['1h', '24h', '7d'] as const satisfies readonly StatsWindow[],
  summary: 'Period (server default: 1h)',
} as const;

const LABEL_WIDTH = 12;
// With labels this narrow, the 60 minutes of an hour fit into 80 columns.
const CHART_LABEL_WIDTH = 10;
const PEAK_WIDTH = 10;

/** Writes a line with its name before it. More than fits goes on below it, indented. */
export const labeled =
  ({ style, width }: Screen) =>
  (name: string, text: string): string => {
    const lines = breakLines(text, width - LABEL_WIDTH).replaceAll('\n', `\n${' '.repeat(LABEL_WIDTH)}`);
    return `${style.dim(name.padEnd(LABEL_WIDTH))}${lines}\n`;
  };

/** `3 pending, 2 retrying, 0 held`. */
export const queueText = ({ pending, retrying, held }: StatsQueue): string =>
  `${pending} pending, ${retrying} retrying, ${held} held`;

/** `3 failed`, in red unless it is 0. */
export const failedText = ({ style }: Screen, count: number): string =>
  count > 0 ? style.red(`${count} failed`) : `${count} failed`;

/** The last lines of the totals of a webhook and of a workspace: the success and latency of calls, and the deliveries that wait. */
export function responseLines(
  { success_rate: rate, latency, queue }: Pick<WebhookStats, 'success_rate' | 'latency' | 'queue'>,
  screen: Screen,
): string {
  const line = labeled(screen);
  return [
    line('success', rate === null ? '-' : percent(rate)),
    line(
      'latency',
      latency === null ? '-' : `p50 ${duration(latency.p50_ms)}, p95 ${duration(latency.p95_ms)}`,
    ),
    line('queue', queueText(queue)),
  ].join('');
}

type Point = Partial<Record<'events' | 'succeeded' | 'failed', number>>;

/** A line of bars for each thing that was counted, with the value of the highest bar. */
export function charts(
  { series, bucket_seconds: seconds }: { series: readonly Point[]; bucket_seconds: number },
  { style, width }: Screen,
  names: readonly (keyof Point)[],
): string {
  const together = Math.max(1, Math.ceil(series.length / (width - CHART_LABEL_WIDTH - PEAK_WIDTH)));
  const paints = { events: (text: string) => text, succeeded: style.green, failed: style.red };
  const lines = names.map((name) => {
    const bars = series.reduce<number[]>((sums, point, index) => {
      const bar = Math.floor(index / together);
      sums[bar] = (sums[bar] ?? 0) + (point[name] ?? 0);
      return sums;
    }, []);
    const peak = style.dim(`  max ${Math.max(...bars)}`);
    return `${style.dim(name.padEnd(CHART_LABEL_WIDTH))}${paints[name](sparkline(bars))}${peak}\n`;
  });
  return `${lines.join('')}${style.dim(`${' '.repeat(CHART_LABEL_WIDTH)}${(seconds * together) / 60} min each`)}\n`;
}

/** A percentage, which is 0 or 100 only if it is exactly that. */
export function percent(rate: number): string {
  const rounded = Math.min(Math.max(rate * 100, 0.01), 99.99).toFixed(2);
  return `${rate === 0 || rate === 1 ? rate * 100 : rounded}%`;
}
