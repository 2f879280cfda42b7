import type { ErrorDetail } from '@hubline/sdk';
import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useAction } from '../../data/queries/use-action.ts';
import { Button } from '../controls/button.tsx';
import { useLeaveQuestion } from '../dialogs/dialog.tsx';
import { ErrorPanel } from '../page/error-panel.tsx';
import { controlOf, FieldErrors, Locked } from './field.tsx';

interface FormProps {
  readonly children: ComponentChildren;
  /** Handles the fields, by their names, and those that the form began with. An error is shown at the fields, or above them. */
  readonly action: (fields: FormFields, before: FormFields) => Promise<unknown>;
  /** The verb on the button: `Invite`. */
  readonly submit: string;
  readonly kind?: 'primary' | 'danger-solid';
  /** Called by the button in front of the one that submits. */
  readonly onCancel?: () => void;
  /** The word on that button. */
  readonly cancel?: string | undefined;
  /** The reason why it cannot be submitted. */
  readonly blocked?: string | undefined;
  /** The reason why it can only be read: it stands instead of the button. */
  readonly locked?: string | undefined;
  readonly width?: 'narrow';
  /** True for settings: a row for each field, its label and hint at the start. */
  readonly rows?: boolean;
  /** `large` for the pages before the login. */
  readonly size?: 'large';
  /** The page may be left without a question: nothing that is entered in it is worth keeping. */
  readonly disposable?: boolean;
  /** Names the stored values that the fields begin with. With others, they begin again, unless there is something to save. */
  readonly stored?: string;
}

/** The values of the fields. */
export interface FormFields {
  /** The text of a field, trimmed; `''` if it is empty. */
  text(name: string): string;
  /** The text as it was typed: passwords and secrets. */
  raw(name: string): string;
  checked(name: string): boolean;
  /** Everything chosen under one name. */
  all(name: string): string[];
}

/** Refuses a value that the server cannot be asked about. The form shows it at the field. */
export class InvalidField extends Error {
  readonly details: readonly ErrorDetail[];

  constructor(field: string, issue: string) {
    super(issue);
    this.details = [{ field, issue }];
  }
}

/**
 * A form over native fields: Enter submits, a second click does nothing, errors of the API are shown at the field that they name
 * (`details[].field` is the field's `name`, also as the last part of a path such as `config.channel`, or as a list: `sources[2]`).
 */
export function Form({
  children,
  action,
  submit,
  kind = 'primary',
  onCancel,
  cancel = 'Cancel',
  blocked,
  locked,
  disposable,
  stored,
  ...look
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const saved = useRef('[]');
  const work = useAction((fields: FormFields) =>
    action(fields, fieldsOf(JSON.parse(saved.current) as Entries)),
  );
  const { error } = work;
  const unsaved = useSignal(false);
  const { question } = useLeaveQuestion(unsaved.value);
  const begun = useRef(stored);
  if (!unsaved.value) begun.current = stored;
  // A layout effect, because somebody may type before the next frame.
  useLayoutEffect(() => {
    saved.current = textOf(form.current);
  }, [begun.current]);
  function compare(): void {
    // A dialog asks by itself.
    if (!disposable && form.current?.closest('dialog') === null)
      unsaved.value = textOf(form.current) !== saved.current;
  }
  async function submitted(fields: FormFields): Promise<void> {
    const sent = textOf(form.current);
    if (!(await work.run(fields))) return;
    // Text that was typed in the meantime is not saved.
    saved.current = sent;
    compare();
  }
  // Of the API, or of an `InvalidField`.
  const { details = [] } = (error ?? {}) as Partial<InvalidField>;

  useEffect(() => {
    // The button is in sight; what it is about may not be.
    form.current?.querySelector('.bad')?.scrollIntoView({ block: 'nearest' });
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);

  // Each error stands at a field.
  const placed =
    details.length > 0 &&
    details.every((detail) => form.current?.elements.namedItem(controlOf(detail)) != null);
  return (
    <>
      <form
        ref={form}
        class={look.rows ? 'form card set-form' : 'form'}
        data-width={look.width}
        noValidate
        onInput={compare}
        onSubmit={(event) => {
          event.preventDefault();
          if (blocked === undefined) void submitted(fieldsOf([...new FormData(event.currentTarget)]));
        }}
      >
        {!placed && <ErrorPanel of={work} />}
        <FieldErrors.Provider key={begun.current} value={details}>
          <Locked.Provider value={locked !== undefined}>{children}</Locked.Provider>
        </FieldErrors.Provider>
        <div class="form-actions">
          {onCancel && (
            <Button disabled={work.pending} onClick={onCancel}>
              {cancel}
            </Button>
          )}
          {locked === undefined ? (
            <Button type="submit" kind={kind} size={look.size} pending={work.pending} blocked={blocked}>
              {submit}
            </Button>
          ) : (
            <span class="faint small">{locked}</span>
          )}
        </div>
      </form>
      {question}
    </>
  );
}

/** Everything entered in a form, to compare. */
const textOf = (form: HTMLFormElement | null): string => JSON.stringify([...new FormData(form ?? undefined)]);

type Entries = readonly (readonly [string, FormDataEntryValue])[];

function fieldsOf(entries: Entries): FormFields {
  const all = (name: string): string[] =>
    entries.flatMap(([key, value]) => (key === name && typeof value === 'string' ? [value] : []));
  const raw = (name: string): string => all(name)[0] ?? '';
  return {
    raw,
    text: (name) => raw(name).trim(),
    checked: (name) => all(name).length > 0,
    all,
  };
}
