import { useId } from 'preact/hooks';

interface SegProps<Value extends string> {
  readonly label: string;
  /** Value → its label. */
  readonly options: Readonly<Partial<Record<Value, string>>>;
  readonly value: string;
  readonly onChange: (value: Value) => void;
}

/** A choice of a few, side by side. */
export function Seg<Value extends string>({ label, options, value, onChange }: SegProps<Value>) {
  const name = useId();
  return (
    <fieldset class="seg">
      <legend class="sr">{label}</legend>
      {(Object.keys(options) as Value[]).map((option) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {options[option]}
        </label>
      ))}
    </fieldset>
  );
}
