import type { ErrorDetail } from '@hubline/sdk';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { Mark } from '../icons/mark.tsx';

/** The API's messages about the fields of the surrounding form. */
export const FieldErrors = createContext<readonly ErrorDetail[]>([]);

/** True in a form that can only be read. */
export const Locked = createContext(false);

/** The properties of every field. */
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
  readonly disabled: boolean;
}

interface Props extends FieldProps {
  readonly children: (control: ControlProps) => ComponentChildren;
}

/** The name of the control that an error of the API is about: `filters.sources[2]` is `sources`. */
export const controlOf = ({ field }: ErrorDetail): string =>
  (field.split('.').at(-1) ?? '').replace(/(\[\d+\])+$/, '');

/** The API's messages about one field, by its name or its whole path; each once, also if it holds for several items of a list. */
export function useIssues(name: string): readonly string[] {
  const details = useContext(FieldErrors).filter((detail) => isAbout(detail, name));
  return [...new Set(details.map(({ issue }) => (issue === EMPTY ? 'is required' : issue)))];
}

/** The API's message about an empty text. A form sends a field that was left empty, too; to a program, `is required` says that it is missing. */
const EMPTY = 'must have at least 1 character';

/** Reports whether an error is about a field: `actions[0].input.body` is about `actions[0].input`, and about `body`. */
export const isAbout = (detail: ErrorDetail, name: string): boolean =>
  detail.field === name ||
  (/[.[]/.test(name)
    ? /^[.[]/.test(detail.field.slice(name.length)) && detail.field.startsWith(name)
    : controlOf(detail) === name);

/** The error of the control that is described by `${id}-error`. */
export const Wrong = ({ id, label, issues }: { id: string; label: string; issues: readonly string[] }) =>
  issues.length > 0 ? (
    <span id={`${id}-error`} class="wrong">
      <Mark name="fail" />
      <span>
        {label} {issues.join('; ')}
      </span>
    </span>
  ) : null;

/** Label, control, hint and error. */
export function Field({ name, label, hint, children }: Props) {
  const id = useId();
  const disabled = useContext(Locked);
  const issues = useIssues(name);
  const hasHint = hint !== undefined;
  const hasError = issues.length > 0;
  const described = [hasHint && `${id}-hint`, hasError && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, name, 'aria-describedby': described || undefined, 'aria-invalid': hasError, disabled })}
      <Wrong id={id} label={label} issues={issues} />
      {hasHint && (
        <span id={`${id}-hint`} class="hint">
          {hint}
        </span>
      )}
    </div>
  );
}
