import { useSignal } from '@preact/signals';
import { RANGES, type TimeFilters } from '../../data/time-range.ts';
import { FilterSelect } from './filter-select.tsx';

interface FilterTimeProps {
  readonly value: TimeFilters;
  readonly onChange: (value: {
    range: string | undefined;
    from: string | undefined;
    to: string | undefined;
  }) => void;
  /** True if the list can also end at a time; some only have a `since`. */
  readonly withEnd?: boolean;
}

/** A time range: the last hour, day or week, or from … to … in the person's own time zone. */
export function FilterTime({ value, onChange, withEnd = true }: FilterTimeProps) {
  const { range, from, to } = value;
  const choosing = useSignal(false);
  const custom = range === undefined && (choosing.value || from !== undefined || to !== undefined);
  const end = (name: 'from' | 'to', text: string) => {
    const time = text ? new Date(text).toISOString() : undefined;
    onChange({ range: undefined, from, to, [name]: time });
  };
  return (
    <>
      <FilterSelect
        label="Time"
        all="Any time"
        value={custom ? 'custom' : range}
        options={{ ...RANGES, custom: withEnd ? 'From … to …' : 'Since …' }}
        onChange={(next) => {
          choosing.value = next === 'custom';
          onChange({ range: next === 'custom' ? undefined : next, from: undefined, to: undefined });
        }}
      />
      {custom && (
        <>
          <DateTime label="From" value={from} onChange={(text) => end('from', text)} />
          {withEnd && <DateTime label="To" value={to} onChange={(text) => end('to', text)} />}
        </>
      )}
    </>
  );
}

function DateTime(props: { label: string; value: string | undefined; onChange: (text: string) => void }) {
  return (
    <label>
      {props.label}
      <input
        class="input"
        type="datetime-local"
        value={local(props.value)}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      />
    </label>
  );
}

/** A UTC timestamp as `datetime-local` wants it. */
function local(timestamp: string | undefined): string {
  const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  if (Number.isNaN(time)) return '';
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
