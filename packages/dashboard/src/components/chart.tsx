import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { TimeAgo } from './time-ago.tsx';

/** One line of a chart. */
export interface Series {
  readonly label: string;
  readonly tone: 'accent' | 'ok' | 'warn' | 'bad' | 'neutral';
  /** One value for each time; `null` where there is none. */
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  /** What it shows, as its heading for screen readers and of the table. */
  readonly label: string;
  /** ISO 8601, oldest first. */
  readonly times: readonly string[];
  readonly series: readonly Series[];
  /** How a value is written: `(ms) => `${ms} ms``. */
  readonly format?: (value: number) => string;
  /** Areas on top of each other rather than lines. */
  readonly stacked?: boolean;
}

const DASHES: Record<Series['tone'], string> = {
  accent: '',
  ok: '',
  warn: '6 3',
  bad: '2 2',
  neutral: '8 2',
};

/** A chart over time, with its numbers as a table. The plotting library loads when the first one is seen. */
export function Chart(props: ChartProps) {
  const { label, times, series, format = String } = props;
  const plot = useSignal<typeof import('./chart-plot.tsx').ChartPlot | undefined>(undefined);
  useEffect(() => {
    // Without it there still is the table.
    import('./chart-plot.tsx').then(
      ({ ChartPlot }) => (plot.value = ChartPlot),
      () => undefined,
    );
  }, []);
  const Plot = plot.value;
  return (
    <figure class="chart" aria-label={label}>
      <div class="chart-plot" aria-hidden="true">
        {Plot && <Plot {...props} dashes={DASHES} />}
      </div>
      <ul class="chart-legend">
        {series.map(({ label, tone }) => (
          <li key={label}>
            <svg viewBox="0 0 16 8" aria-hidden="true">
              <path d="M0 4h16" stroke={toneColour(tone)} stroke-width="2" stroke-dasharray={DASHES[tone]} />
            </svg>{' '}
            {label}
          </li>
        ))}
      </ul>
      <details>
        <summary>Show the numbers</summary>
        <table class="table">
          <caption class="sr-only">{label}</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {series.map(({ label }) => (
                <th key={label} scope="col" data-align="end">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map((time, at) => (
              <tr key={time}>
                <td data-label="Time">
                  <TimeAgo value={time} />
                </td>
                {series.map(({ label, values }) => {
                  const value = values[at];
                  return (
                    <td key={label} data-label={label} data-align="end">
                      {value == null ? '' : format(value)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** The colour as tokens.css has it. */
export const toneColour = (tone: Series['tone']): string => `var(--${tone === 'neutral' ? 'text-2' : tone})`;
