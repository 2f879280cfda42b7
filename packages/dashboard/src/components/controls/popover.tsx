import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface PopoverProps {
  /** The button's content. */
  readonly label: ComponentChildren;
  /** Its classes. */
  readonly class: string;
  /** The accessible name, if the content is not one. */
  readonly name?: string;
  /** The content, below the button; `close` hides it and returns the focus. */
  readonly children: (close: () => void) => ComponentChildren;
  readonly align?: 'start' | 'end';
  /** `menu` holds commands, walked through with the arrow keys; `dialog` anything else. */
  readonly role?: 'menu' | 'dialog';
}

/** The distance from the button and from the edges of the window, in pixels. */
const GAP = 6;

/** A button with something that floats below it, or above where there is no room. Escape and a click elsewhere close it. */
export function Popover({ label, class: className, name, children, align, role = 'menu' }: PopoverProps) {
  const open = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = (): void => {
    open.value = false;
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        id={`${id}-button`}
        type="button"
        class={className}
        aria-haspopup={role}
        aria-expanded={open.value}
        aria-controls={open.value ? id : undefined}
        aria-label={name}
        title={name}
        onClick={() => (open.value = !open.value)}
      >
        {label}
      </button>
      {open.value && (
        <Floating
          id={id}
          anchor={button}
          align={align}
          role={role}
          close={close}
          dismiss={() => (open.value = false)}
        >
          {children(close)}
        </Floating>
      )}
    </>
  );
}

interface FloatingProps {
  readonly id: string;
  readonly anchor: { readonly current: HTMLButtonElement | null };
  readonly align: 'start' | 'end' | undefined;
  readonly role: 'menu' | 'dialog';
  readonly close: () => void;
  readonly dismiss: () => void;
  readonly children: ComponentChildren;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
const ITEMS = '[role^=menuitem], a, button, input, select';
/** Fields for which the arrow keys choose a value. */
const ARROWED = 'select, [type=radio], [type=datetime-local]';

function Floating({ id, anchor, align = 'start', role, close, dismiss, children }: FloatingProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current: element } = box;
    if (!element || !anchor.current) return;
    const from = anchor.current.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = element;
    const left = align === 'end' ? from.right - width : from.left;
    const below = from.bottom + GAP + height <= innerHeight || from.top < height + GAP;
    element.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
    element.style.top = `${below ? from.bottom + GAP : from.top - GAP - height}px`;
    element.style.minWidth = `${Math.min(from.width, 320)}px`;
  });
  // Not after the first frame, as `useEffect` would: a key pressed until then would go to the button.
  useLayoutEffect(() => {
    // The box itself while its content loads: Escape and Tab go on from there.
    (box.current?.querySelector<HTMLElement>(ITEMS) ?? box.current)?.focus();
    function outside({ target }: Event): void {
      if (target instanceof Node && !box.current?.contains(target) && !anchor.current?.contains(target))
        dismiss();
    }
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, []);
  return (
    <div
      ref={box}
      id={id}
      class="menu floating"
      role={role}
      tabIndex={-1}
      aria-labelledby={`${id}-button`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          close();
        }
        const step = STEPS[event.key];
        if (step === undefined || !box.current || (event.target as Element).matches(ARROWED)) return;
        const items = [...box.current.querySelectorAll<HTMLElement>(ITEMS)];
        const at = items.indexOf(document.activeElement as HTMLElement);
        event.preventDefault();
        items.at((at + step) % items.length)?.focus();
      }}
    >
      {children}
    </div>
  );
}
