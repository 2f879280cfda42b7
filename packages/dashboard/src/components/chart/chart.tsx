import { useSignal } from '@preact/signals';
import { formatTime, Time } from '../text/time.tsx';
import { ChartPlot, type ChartProps } from './chart-plot.tsx';

/** A chart over time, with its numbers as a table. */
export function Chart(props: ChartProps) {
  const { label, times, series, format = String } = props;
  /** The point below the pointer, as an index of `times`. */
  const at = useSignal<number>();
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
          <table class="tbl stacks">
            <caption class="sr">{label}</caption>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map(({ label }) => (
                  <th key={label} scope="col" class="end">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((time, at) => (
                <tr key={time}>
                  <td data-label="Time">
                    <Time value={time} begins />
                  </td>
                  {series.map(({ label, values }) => {
                    const value = values[at];
                    return (
                      <td key={label} data-label={label} class="end">
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

/** The legend, with the values below the pointer. */
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
      {time !== undefined && <li class="chart-time">{formatTime(time, true)}</li>}
    </ul>
  );
}
