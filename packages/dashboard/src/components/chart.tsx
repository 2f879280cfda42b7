import '../styles/chart.css';
import { useSignal } from '@preact/signals';
import { ChartPlot } from './chart-plot.tsx';
import { TimeAgo } from './time-ago.tsx';

/** One line of a chart, or one layer of its bars. */
export interface Series {
  readonly label: string;
  readonly tone: 'accent' | 'ok' | 'warn' | 'bad' | 'neutral';
  /** One value for each time, from 0; `null` where there is none. */
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
  /** Counts, as bars on top of each other, rather than lines. */
  readonly stacked?: boolean;
}

/** A chart over time, with its numbers as a table. */
export function Chart(props: ChartProps) {
  const { label, times, series, format = String } = props;
  /** What the pointer is over, as an index of `times`. */
  const at = useSignal<number | undefined>(undefined);
  const shown = useSignal(false);
  return (
    <figure class="chart" aria-label={label}>
      <div aria-hidden="true">
        <ChartPlot {...props} at={at.value} onPoint={(next) => (at.value = next)} />
      </div>
      <Legend {...props} at={at.value} />
      <details onToggle={({ currentTarget }) => (shown.value = currentTarget.open)}>
        <summary>Show the numbers</summary>
        {shown.value && (
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
        )}
      </details>
    </figure>
  );
}

const when = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** What the lines are, and below the pointer their values. */
function Legend({ times, series, format = String, stacked, at }: ChartProps & { at: number | undefined }) {
  const time = at === undefined ? undefined : times[at];
  return (
    <ul class="chart-legend">
      {series.map(({ label, tone, values }) => {
        const value = at === undefined ? undefined : values[at];
        return (
          <li key={label}>
            <svg viewBox="0 0 16 8" aria-hidden="true">
              {stacked ? (
                <path class="plot-bars" data-tone={tone} d="M4 0h8v8H4z" />
              ) : (
                <path class="plot-line" data-tone={tone} d="M0 4h16" />
              )}
            </svg>{' '}
            {label} <strong>{value == null ? '' : format(value)}</strong>
          </li>
        );
      })}
      {time !== undefined && <li class="chart-time">{when.format(Date.parse(time))}</li>}
    </ul>
  );
}
