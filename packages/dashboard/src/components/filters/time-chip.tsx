import { RANGES, type TimeFilters, isRange } from '../../data/address/time-range.ts';
import { Popover } from '../controls/popover.tsx';
import { Icon } from '../icons/icon.tsx';
import { formatTime } from '../text/time.tsx';

interface TimeChipProps {
  readonly value: TimeFilters;
  readonly onChange: (value: {
    range: string | undefined;
    from: string | undefined;
    to: string | undefined;
  }) => void;
}

/** A time range: the last hour, day or week, or from … to … in the person's own time zone. */
export function TimeChip({ value, onChange }: TimeChipProps) {
  const { range, from, to } = value;
  const none = { range: undefined, from: undefined, to: undefined };
  /** The range that is chosen in the menu; none for a time from … to …. */
  const chosen = range ?? (from === undefined && to === undefined ? '' : undefined);
  return (
    <Popover
      class="chip"
      role="dialog"
      name={`Time: ${wordsOf(value)}`}
      label={
        <>
          <Icon name="clock" size="s" />
          {wordsOf(value)}
        </>
      }
    >
      {(close) => (
        <>
          {[['', 'Any time'] as const, ...Object.entries(RANGES)].map(([each, words]) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === chosen}
              onClick={() => {
                onChange({ ...none, range: each || undefined });
                close();
              }}
            >
              <span class="grow">{words}</span>
              {each === chosen && <Icon name="check" size="s" />}
            </button>
          ))}
          <hr />
          <form
            class="menu-form"
            onSubmit={(event) => {
              event.preventDefault();
              const fields = new FormData(event.currentTarget);
              const [from, to] = [utcOf(fields.get('from')), utcOf(fields.get('to'))];
              // The earlier one comes first. Without both, one end is open.
              const isReversed = from !== undefined && to !== undefined && from > to;
              onChange({ range: undefined, from: isReversed ? to : from, to: isReversed ? from : to });
              close();
            }}
          >
            <label class="field">
              <span class="label">From</span>
              <input class="input" type="datetime-local" name="from" defaultValue={localOf(from)} />
            </label>
            <label class="field">
              <span class="label">To</span>
              <input class="input" type="datetime-local" name="to" defaultValue={localOf(to)} />
            </label>
            <button type="submit" class="btn s primary">
              Apply
            </button>
          </form>
        </>
      )}
    </Popover>
  );
}

function wordsOf({ range, from, to }: TimeFilters): string {
  if (isRange(range)) return RANGES[range];
  if (from !== undefined && to !== undefined) return `${formatTime(from)} to ${formatTime(to)}`;
  if (from !== undefined) return `Since ${formatTime(from)}`;
  return to === undefined ? 'Any time' : `Until ${formatTime(to)}`;
}

function utcOf(local: FormDataEntryValue | null): string | undefined {
  return typeof local === 'string' && local !== '' ? new Date(local).toISOString() : undefined;
}

/** A UTC timestamp as `datetime-local` wants it. */
function localOf(timestamp: string | undefined): string {
  const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  if (Number.isNaN(time)) return '';
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
