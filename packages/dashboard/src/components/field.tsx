import type { ErrorDetail } from '@hubline/sdk';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';

/** What the API said about the fields of the form around. */
export const FieldErrors = createContext<readonly ErrorDetail[]>([]);

/** What every field has. */
export interface FieldProps {
  /** The field's name in the request, which is also its name in errors. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
}

/** Attributes that tie a control to its label, hint and error. */
export interface ControlProps {
  readonly id: string;
  readonly name: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
}

interface Props extends FieldProps {
  readonly children: (control: ControlProps) => ComponentChildren;
}

/** Label, control, hint and error. */
export function Field({ name, label, hint, children }: Props) {
  const id = useId();
  const issues = useContext(FieldErrors)
    .filter(({ field }) => field === name || field.endsWith(`.${name}`))
    .map(({ issue }) => issue);
  const hasHint = hint !== undefined;
  const hasError = issues.length > 0;
  const described = [hasHint && `${id}-hint`, hasError && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, name, 'aria-describedby': described || undefined, 'aria-invalid': hasError })}
      {hasError && (
        <small id={`${id}-error`} class="field-error">
          {label} {issues.join('; ')}
        </small>
      )}
      {hasHint && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}
