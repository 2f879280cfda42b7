import { timeTicks, valueTicks } from './chart-scale.ts';

/** One line of a chart, or one layer of its bars. */
interface Series {
  readonly label: string;
  readonly tone: 'accent' | 'ok' | 'warn' | 'bad' | 'neutral';
  /** One value for each time, from 0; `null` where there is none. */
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  /** The name for screen readers, and the caption of the table. */
  readonly label: string;
  /** ISO 8601, oldest first. */
  readonly times: readonly string[];
  readonly series: readonly Series[];
  /** Formats a value: `(ms) => `${ms} ms``. */
  readonly format?: (value: number) => string;
  /** True for counts: stacked bars rather than lines. */
  readonly stacked?: boolean;
}

interface ChartPlotProps extends ChartProps {
  /** The point below the pointer, as an index of `times`. */
  readonly at: number | undefined;
  readonly onPoint: (at: number | undefined) => void;
}

/** The share of a bar's width that is left free as the gap between bars. */
const GAP = 0.2;

/** Beyond this share of the width, a time gets no label, because it would not fit on a phone. */
const LAST_TIME = 0.94;

/**
 * The drawing of a chart: one path for each series, in units of times and values, which the browser stretches to the available space.
 * Nothing has to be measured, and the stylesheet sets the colors.
 */
export function ChartPlot({ times, series, format = String, stacked = false, at, onPoint }: ChartPlotProps) {
  const drawn = stacked ? stack(series) : series;
  const highest = Math.max(0, ...drawn.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const ticks = valueTicks(highest, 1);
  const top = ticks.at(-1) ?? 1;
  const count = Math.max(times.length, 1);
  return (
    <div class="plot-frame">
      <ol class="plot-values axis-y">
        {ticks.map((tick) => (
          <li key={tick} style={{ bottom: percent(tick / top) }}>
            {format(tick)}
          </li>
        ))}
      </ol>
      <svg
        class="plot-area"
        viewBox={`0 0 ${count} ${top}`}
        preserveAspectRatio="none"
        onPointerMove={({ clientX, currentTarget }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          const over = Math.floor(((clientX - left) / width) * count);
          onPoint(over >= 0 && over < times.length ? over : undefined);
        }}
        onPointerLeave={() => onPoint(undefined)}
      >
        {at !== undefined && <rect class="plot-pointer" x={at} y="0" width="1" height={top} />}
        <path class="plot-grid" d={ticks.map((tick) => `M0 ${top - tick}h${count}`).join('')} />
        {drawn.map(({ label, tone, values }) =>
          stacked ? (
            <path key={label} class="plot-bars" data-tone={tone} d={bars(values, top)} />
          ) : (
            <path key={label} class="plot-line" data-tone={tone} d={line(values, top)} />
          ),
        )}
        {!stacked &&
          drawn.map(({ label, tone, values }) => (
            <path key={`${label} alone`} class="plot-dots" data-tone={tone} d={dots(values, top)} />
          ))}
      </svg>
      <ol class="plot-times">
        {timeTicks(times)
          .filter((tick) => tick.at / count < LAST_TIME)
          .map((tick) => (
            <li key={tick.at} style={{ left: percent((tick.at + (stacked ? 0 : 0.5)) / count) }}>
              {tick.label}
            </li>
          ))}
      </ol>
    </div>
  );
}

const percent = (share: number): string => `${share * 100}%`;

/** Stacks the series: each reaches to the sum of itself and those below it. The last one is drawn first, behind the others. */
function stack(series: readonly Series[]): readonly Series[] {
  const sums = (until: number, time: number): number =>
    series.slice(0, until + 1).reduce((sum, { values }) => sum + (values[time] ?? 0), 0);
  return series
    .map((each, until) => ({ ...each, values: each.values.map((_, time) => sums(until, time)) }))
    .toReversed();
}

type Values = Series['values'];

const bars = (values: Values, top: number): string =>
  values.map((value, at) => (value ? `M${at + GAP / 2} ${top}v${-value}h${1 - GAP}V${top}z` : '')).join('');

/** A line from value to value, with a gap where one is missing. */
const line = (values: Values, top: number): string =>
  values
    .map((value, at) =>
      value === null ? '' : `${values[at - 1] == null ? 'M' : 'L'}${at + 0.5} ${top - value}`,
    )
    .join('');

/** Dots for values without neighbors, which a line does not show. Not of length 0: WebKit stretches the ends of such a line. */
const dots = (values: Values, top: number): string =>
  values
    .map((value, at) =>
      value !== null && values[at - 1] == null && values[at + 1] == null
        ? `M${at + 0.5} ${top - value}h.01`
        : '',
    )
    .join('');
