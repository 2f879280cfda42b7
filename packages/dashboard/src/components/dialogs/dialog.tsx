import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { guardLeaving } from '../../data/address/leaving.ts';
import { covered } from '../../data/live/use-visible.ts';
import { Button } from '../controls/button.tsx';
import { IconButton } from '../controls/icon-button.tsx';

interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  /** Called for Escape, the close button, and a click outside. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly size?: 'wide' | 'extra-wide' | undefined;
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

/** Opens a dialog. Returns a function that closes it and gives the focus back. */
export function showModal(dialog: HTMLDialogElement): () => void {
  const before = document.activeElement;
  dialog.showModal();
  return () => {
    // The question of a dialog that is left is still open in it, and would keep the focus from the page.
    for (const inner of dialog.querySelectorAll<HTMLDialogElement>('dialog[open]')) inner.close();
    dialog.close();
    if (before instanceof HTMLElement) before.focus();
  };
}

/** The open dialogs, the newest last. */
const stack: HTMLDialogElement[] = [];

const SIZES = { wide: 'dialog w', 'extra-wide': 'dialog xw' } as const;

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
  const edited = useSignal(false);
  const { ask, question } = useLeaveQuestion(edited.value, onClose);
  const id = useId();
  // Not after the first frame, as `useEffect` would: a key pressed until then would go to the page, and the focus would return from
  // this dialog after the next one had opened.
  useLayoutEffect(() => {
    const dialog = element.current as HTMLDialogElement;
    // A browser closes a dialog by itself after a few presses of Escape, even if each was refused.
    const reopen = (): void => {
      if (dialog.open) return;
      if (locked || edited.peek() || isBusy(dialog)) {
        dialog.showModal();
        // The one in front comes on top again: the login, or a question in it.
        const front = covered.peek() ? stack.at(-1) : dialog.querySelector<HTMLDialogElement>('dialog[open]');
        front?.close();
        front?.showModal();
        leave();
      } else onClose();
    };
    stack.push(dialog);
    const close = showModal(dialog);
    dialog.addEventListener('close', reopen);
    // A reload, a link and Back would lose what is shown only once.
    const release = locked ? guardLeaving(() => {}) : undefined;
    // Focuses the first field rather than the close button, which comes before it.
    dialog.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea, button)')?.focus();
    return () => {
      dialog.removeEventListener('close', reopen);
      stack.splice(stack.indexOf(dialog), 1);
      release?.();
      close();
    };
  }, []);

  /** Escape and a click outside happen by accident, and would lose what was entered. One Escape also reaches dialogs behind the login. */
  function leave(): void {
    if (locked || covered.peek() || isBusy(element.current)) return;
    if (edited.peek()) ask(onClose);
    else onClose();
  }
  return (
    <dialog
      ref={element}
      class={size === undefined ? 'dialog' : SIZES[size]}
      aria-labelledby={id}
      aria-describedby={description === undefined ? undefined : `${id}-more`}
      onInput={({ target }) => {
        // A choice from a list is made again at once.
        if (!disposable && (target as Element).tagName !== 'SELECT') edited.value = true;
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
          {description !== undefined && (
            <span class="sub" id={`${id}-more`}>
              {description}
            </span>
          )}
        </div>
        {!locked && (
          <IconButton icon="x" label="Close" onClick={() => isBusy(element.current) || onClose()} />
        )}
      </div>
      <div class="dialog-body">{children}</div>
      {question}
    </dialog>
  );
}

/**
 * Reports whether a request of the dialog is under way. It cannot be taken back: in a dialog that was left, a failure would show
 * nowhere, and a success would close the next dialog.
 */
const isBusy = (dialog: Element | null): boolean => dialog?.querySelector('button[aria-busy="true"]') != null;

/**
 * Asks before what was entered is lost: by a link, a shortcut, the palette, Back or a reload, and when `ask` is called. `discard`
 * forgets it before another page opens.
 */
export function useLeaveQuestion(unsaved: boolean, discard?: () => void) {
  const { route, url } = useLocation();
  const leave = useSignal<() => void>();
  // A layout effect, because Back may follow the first change at once. After a change of the address, Back returns to the new one.
  useLayoutEffect(() => {
    if (!unsaved) return;
    return guardLeaving((to) => {
      leave.value = () => {
        discard?.();
        if (typeof to === 'string') route(to);
        else to();
      };
    });
  }, [unsaved, url]);
  const stay = (): void => {
    leave.value = undefined;
  };
  return {
    ask: (then: () => void) => {
      leave.value = then;
    },
    question: (
      <Dialog open={leave.value !== undefined} title="Leave without saving?" onClose={stay}>
        <p>What you entered will be lost.</p>
        <div class="form-actions">
          <Button onClick={stay}>Keep editing</Button>
          <Button
            kind="danger-solid"
            onClick={() => {
              const go = leave.peek();
              stay();
              go?.();
            }}
          >
            Leave
          </Button>
        </div>
      </Dialog>
    ),
  };
}
