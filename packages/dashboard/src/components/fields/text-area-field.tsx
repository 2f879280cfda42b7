import { Field, type FieldProps } from './field.tsx';

interface TextAreaFieldProps extends FieldProps {
  readonly value?: string;
  readonly placeholder?: string;
  readonly mono?: boolean;
  readonly rows?: number;
  readonly onInput?: (value: string) => void;
}

/** A field of several lines. `value` is its initial text. */
export function TextAreaField({ value, placeholder, mono, rows = 5, onInput, ...field }: TextAreaFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          class="input area"
          rows={rows}
          defaultValue={value ?? ''}
          placeholder={placeholder}
          spellcheck={!mono}
          onInput={(event) => onInput?.(event.currentTarget.value)}
          data-mono={mono ? '' : undefined}
        />
      )}
    </Field>
  );
}
