import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface CheckboxFieldProps {
  /** Several boxes with one name are a list: read them with `fields.all(name)`. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value?: string;
  readonly checked?: boolean;
  readonly onChange?: (checked: boolean) => void;
}

export function CheckboxField({
  name,
  label,
  hint,
  value = 'on',
  checked = false,
  onChange,
}: CheckboxFieldProps) {
  const id = useId();
  return (
    <div class="tick">
      <input
        id={id}
        type="checkbox"
        class="check"
        name={name}
        value={value}
        defaultChecked={checked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange?.(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <span id={`${id}-hint`} class="hint">
          {hint}
        </span>
      )}
    </div>
  );
}
