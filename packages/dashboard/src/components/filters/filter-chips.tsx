import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { IconButton } from '../controls/icon-button.tsx';
import { Popover } from '../controls/popover.tsx';
import { Icon } from '../icons/icon.tsx';

/** A filter that is a chip when it is set, and an entry of "Filter" when it is not. */
export interface ChipFilter {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
  /** Value → its label. Without options the value is typed. */
  readonly options?: Readonly<Record<string, string>>;
  /** Known values to suggest where the value is typed. */
  readonly suggestions?: readonly string[];
  /** The value as it is shown. */
  readonly show?: (value: string) => ComponentChildren;
}

interface FilterChipsProps {
  readonly filters: readonly ChipFilter[];
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly onChange: (name: string, value: string | undefined) => void;
}

export function FilterChips({ filters, values, onChange }: FilterChipsProps) {
  const unset = filters.filter(({ name }) => values[name] === undefined);
  return (
    <>
      {filters.map((filter) => {
        const value = values[filter.name];
        if (value === undefined) return null;
        return (
          <span key={filter.name} class="chip on">
            <span>{filter.label}</span>
            <Popover
              class="chip-value"
              role="dialog"
              name={`${filter.label}: ${filter.options?.[value] ?? value}`}
              label={<span class="clip">{filter.show?.(value) ?? filter.options?.[value] ?? value}</span>}
            >
              {(close) => (
                <Values
                  filter={filter}
                  value={value}
                  onChange={(next) => (onChange(filter.name, next), close())}
                />
              )}
            </Popover>
            <IconButton
              kind="copy"
              icon="x"
              label={`Remove the filter ${filter.label}`}
              onClick={() => onChange(filter.name, undefined)}
            />
          </span>
        );
      })}
      {unset.length > 0 && (
        <Popover
          class="chip dashed"
          role="dialog"
          label={
            <>
              <Icon name="plus" size="x" />
              Filter
            </>
          }
        >
          {(close) => (
            <NewFilter filters={unset} onChange={(name, value) => (onChange(name, value), close())} />
          )}
        </Popover>
      )}
    </>
  );
}

/** Asks for the filter, then for its value. */
function NewFilter({
  filters,
  onChange,
}: {
  filters: readonly ChipFilter[];
  onChange: FilterChipsProps['onChange'];
}) {
  // Keeps the name, not the filter, whose options may not be loaded yet.
  const chosen = useSignal<string>();
  const filter = filters.find(({ name }) => name === chosen.value);
  if (filter)
    return <Values filter={filter} value={undefined} onChange={(value) => onChange(filter.name, value)} />;
  return (
    <>
      {filters.map((each) => (
        <button key={each.name} type="button" onClick={() => (chosen.value = each.name)}>
          <span class="grow">{each.label}</span>
          <Icon name="right" size="x" />
        </button>
      ))}
    </>
  );
}

interface ValuesProps {
  readonly filter: ChipFilter;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function Values({ filter: { name, label, options, suggestions = [], show }, value, onChange }: ValuesProps) {
  if (options) {
    return (
      <>
        {Object.entries(options).map(([option, words]) => (
          <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
            <span class="grow">{show?.(option) ?? words}</span>
            {option === value && <Icon name="check" size="s" />}
          </button>
        ))}
      </>
    );
  }
  return (
    <form
      class="menu-form"
      onSubmit={(event) => {
        event.preventDefault();
        const text = new FormData(event.currentTarget).get(name);
        onChange((typeof text === 'string' && text.trim()) || undefined);
      }}
    >
      <input
        class="input"
        name={name}
        aria-label={label}
        placeholder={label}
        defaultValue={value ?? ''}
        autoComplete="off"
        ref={(input) => input?.focus()}
      />
      {suggestions.slice(0, 8).map((each) => (
        <button key={each} type="button" class="btn s quiet" onClick={() => onChange(each)}>
          {each}
        </button>
      ))}
      <button type="submit" class="btn s primary">
        Apply
      </button>
    </form>
  );
}
