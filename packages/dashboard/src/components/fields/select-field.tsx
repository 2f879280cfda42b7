import { useSignal } from '@preact/signals';
import { Field, type FieldProps } from './field.tsx';

interface SelectFieldProps extends FieldProps {
  /** Value → its label. */
  readonly options: Readonly<Record<string, string>>;
  /** The option that is chosen at first. */
  readonly value: string;
  readonly onChange?: (value: string) => void;
}

export function SelectField({ options, value, onChange, ...field }: SelectFieldProps) {
  const chosen = useSignal(value);
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          class="input pick"
          value={chosen.value}
          onChange={(event) => {
            chosen.value = event.currentTarget.value;
            onChange?.(chosen.value);
          }}
        >
          {Object.entries(options).map(([option, name]) => (
            <option key={option} value={option}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
