interface ToggleProps {
  readonly on: boolean;
  /** The accessible name, if the words beside the switch are not one. */
  readonly label?: string;
  /** Shows `On` or `Off` beside the switch. */
  readonly words?: boolean;
  /** The reason why it cannot be switched. */
  readonly blocked?: string | undefined;
  readonly onChange: (on: boolean) => void;
}

/** A switch. */
export function Toggle({ on, label, words = false, blocked, onChange }: ToggleProps) {
  return (
    <button
      type="button"
      class="toggle"
      role="switch"
      aria-checked={on}
      aria-label={label}
      aria-disabled={blocked !== undefined}
      title={blocked ?? label}
      onClick={() => {
        if (blocked === undefined) onChange(!on);
      }}
    >
      <i />
      {words && (on ? 'On' : 'Off')}
    </button>
  );
}
