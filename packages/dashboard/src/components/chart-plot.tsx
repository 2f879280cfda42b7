import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import { theme } from '../shell/theme.ts';
import type { ChartProps, Series } from './chart.tsx';

const HEIGHT = 200;

const TOKENS: Record<Series['tone'], { readonly line: string; readonly area: string }> = {
  accent: { line: '--accent', area: '--bg-selected' },
  ok: { line: '--ok', area: '--ok-bg' },
  warn: { line: '--warn', area: '--warn-bg' },
  bad: { line: '--bad', area: '--bad-bg' },
  neutral: { line: '--text-2', area: '--bg-subtle' },
};

const hours = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** `14:30`, and at midnight the day. */
function timeOfTick(seconds: number): string {
  const date = new Date(seconds * 1000);
  return date.getHours() + date.getMinutes() === 0 ? days.format(date) : hours.format(date);
}

interface ChartPlotProps extends ChartProps {
  readonly dashes: Record<Series['tone'], string>;
}

/** The canvas of a chart; drawn anew when the data, the width or the theme changes. */
export function ChartPlot({ times, series, format = String, stacked = false, dashes }: ChartPlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const chosen = theme.value;
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    let plot: UPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      plot = new UPlot(options(element), data(), element);
    };
    const options = (element: HTMLElement): UPlot.Options => {
      const axis = {
        stroke: colour(element, '--text-2'),
        grid: { stroke: colour(element, '--border'), width: 1 },
      };
      return {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false },
        scales: { y: { range: (_, __, high) => [0, Math.max(high * 1.05, 1)] } },
        axes: [
          { ...axis, ticks: { show: false }, values: (_, ticks) => ticks.map(timeOfTick) },
          { ...axis, ticks: { show: false }, size: 64, values: (_, ticks) => ticks.map(format) },
        ],
        series: [
          {},
          ...layers(series, stacked).map(({ label, tone }) => ({
            label,
            stroke: colour(element, TOKENS[tone].line),
            dash: dashes[tone].split(' ').filter(Boolean).map(Number),
            width: 1.5,
            points: { show: false },
            // Opaque, since each area is drawn over those that reach higher.
            ...(stacked && { fill: colour(element, TOKENS[tone].area) }),
          })),
        ],
      };
    };
    const data = (): UPlot.AlignedData => [
      times.map((time) => Date.parse(time) / 1000),
      ...layers(series, stacked).map(({ values }) => [...values]),
    ];
    const resized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
    const system = matchMedia('(prefers-color-scheme: dark)');
    draw();
    resized.observe(element);
    system.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      system.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [times, series, stacked, chosen]);
  return <div ref={place} />;
}

/** Stacked, the last is drawn first and reaches to the sum of all. */
function layers(series: readonly Series[], stacked: boolean): readonly Series[] {
  if (!stacked) return series;
  return series
    .map((each, at) => ({
      ...each,
      values: each.values.map((_, time) =>
        series.slice(0, at + 1).reduce((sum, { values }) => sum + (values[time] ?? 0), 0),
      ),
    }))
    .toReversed();
}

/** A token as a canvas understands it: what `light-dark()` comes to is known only to an element. */
function colour(element: HTMLElement, token: string): string {
  element.style.color = `var(${token})`;
  const [red = 0, green = 0, blue = 0] =
    getComputedStyle(element)
      .color.match(/[\d.]+/g)
      ?.map(Number) ?? [];
  element.style.color = '';
  return `#${[red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}
