import { Field, type FieldProps } from './field.tsx';

interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'datetime-local';
  readonly value?: string;
  readonly placeholder?: string | undefined;
  /** The value that a browser may fill in. Default: none. */
  readonly autoComplete?: string;
  /** Secrets, ids, addresses: every character counts. */
  readonly mono?: boolean;
  readonly onInput?: (value: string) => void;
}

/** A field of one line. `value` is its initial text. */
export function TextField({
  type = 'text',
  value,
  placeholder,
  autoComplete = 'off',
  mono,
  onInput,
  ...field
}: TextFieldProps) {
  // Preact's types allow different roles for each type of input; no role is set here.
  const typed: { type: 'text' } = { type: type as 'text' };
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          class="input"
          {...typed}
          defaultValue={value ?? ''}
          placeholder={placeholder}
          autoComplete={autoComplete}
          data-mono={mono ? '' : undefined}
          onInput={(event) => onInput?.(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
