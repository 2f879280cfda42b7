import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface TickProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly name: string;
  readonly value: string;
  readonly checked?: boolean;
  readonly defaultChecked?: boolean;
  readonly disabled?: boolean;
  readonly 'aria-invalid'?: boolean;
  readonly onTick: (checked: boolean) => void;
}

/** A box with its label and hint. */
export function Tick({ label, hint, onTick, ...input }: TickProps) {
  const id = useId();
  return (
    <div class="tick">
      <input
        {...input}
        id={id}
        type="checkbox"
        class="check"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onTick(event.currentTarget.checked)}
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
