interface FilterSelectProps {
  readonly label: string;
  readonly value: string | undefined;
  /** Value → what it is called. */
  readonly options: Readonly<Record<string, string>>;
  /** The option for "no filter". */
  readonly all: string;
  readonly onChange: (value: string | undefined) => void;
}

/** A filter among known values. A value from the address that is none of them is offered too, rather than silently dropped. */
export function FilterSelect({ label, value, options, all, onChange }: FilterSelectProps) {
  const unknown = value !== undefined && !(value in options);
  return (
    <select
      class="input pick"
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    >
      <option value="">{all}</option>
      {unknown && <option value={value}>{value}</option>}
      {Object.entries(options).map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  );
}
