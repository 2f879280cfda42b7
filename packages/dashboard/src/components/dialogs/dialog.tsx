import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from '../controls/button.tsx';
import { IconButton } from '../controls/icon-button.tsx';

interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  /** Called for Escape, the close button, and a click outside. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly size?: 'wide' | 'extra-wide';
  /** A line below the title. */
  readonly description?: ComponentChildren;
  /** Closes only by its own buttons: it shows something only once. */
  readonly locked?: boolean;
  /** Closes without a question: nothing that is entered in it is worth keeping. */
  readonly disposable?: boolean;
}

/** A native modal dialog: the browser keeps the focus inside and gives it back. Its children exist only while it is open. */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

const SIZES = { wide: 'dialog w', 'extra-wide': 'dialog xw' } as const;

/** The fields that take effort to fill in. */
const TEXT = 'textarea, input:not([type="checkbox"], [type="radio"])';

function OpenDialog({
  title,
  onClose,
  children,
  size,
  description,
  locked = false,
  disposable = false,
}: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const edited = useRef(false);
  const asking = useSignal(false);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    // A browser closes a dialog by itself after a few presses of Escape, even if each was refused.
    const reopen = (): void => {
      if (locked || edited.current) dialog?.showModal();
      else onClose();
    };
    const stay = (event: Event): void => event.preventDefault();
    dialog?.showModal();
    dialog?.addEventListener('close', reopen);
    if (locked) addEventListener('beforeunload', stay);
    // Focuses the first field rather than the close button, which comes before it.
    dialog?.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea, button)')?.focus();
    return () => {
      dialog?.removeEventListener('close', reopen);
      removeEventListener('beforeunload', stay);
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  /** Escape and a click outside happen by accident, and would lose what was entered. */
  function leave(): void {
    if (locked) return;
    if (edited.current) asking.value = true;
    else onClose();
  }
  return (
    <dialog
      ref={element}
      class={size === undefined ? 'dialog' : SIZES[size]}
      aria-labelledby={id}
      onInput={({ target }) => {
        if (!disposable && target instanceof Element && target.matches(TEXT)) edited.current = true;
      }}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onMouseDown={(event) => {
        // A click on the dialog element itself is one on the backdrop: its content covers the rest.
        if (event.target === element.current) leave();
      }}
    >
      <div class="dialog-head">
        <div class="grow">
          <h2 id={id}>{title}</h2>
          {description !== undefined && <span class="sub">{description}</span>}
        </div>
        {!locked && <IconButton icon="x" label="Close" onClick={onClose} />}
      </div>
      <div class="dialog-body">{children}</div>
      <Dialog open={asking.value} title="Close without saving?" onClose={() => (asking.value = false)}>
        <p>What you entered is lost.</p>
        <div class="form-actions">
          <Button onClick={() => (asking.value = false)}>Keep editing</Button>
          <Button kind="danger-solid" onClick={onClose}>
            Close
          </Button>
        </div>
      </Dialog>
    </dialog>
  );
}
