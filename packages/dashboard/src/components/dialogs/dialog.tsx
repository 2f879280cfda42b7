import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
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
}

/** A native modal dialog: the browser keeps the focus inside and gives it back. Its children exist only while it is open. */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

const SIZES = { wide: 'dialog w', 'extra-wide': 'dialog xw' } as const;

function OpenDialog({ title, onClose, children, size, description, locked = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    // Focuses the first field rather than the close button, which comes before it.
    dialog?.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea, button)')?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={size === undefined ? 'dialog' : SIZES[size]}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!locked) onClose();
      }}
      onMouseDown={(event) => {
        // A click on the dialog element itself is one on the backdrop: its content covers the rest.
        if (!locked && event.target === element.current) onClose();
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
    </dialog>
  );
}
