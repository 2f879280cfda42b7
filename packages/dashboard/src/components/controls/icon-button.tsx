import { Icon, type IconName } from '../icons/icon.tsx';

interface IconButtonProps {
  readonly icon: IconName;
  /** The effect, as its name and its tooltip. */
  readonly label: string;
  /** `copy` is small, for a text or a bar; `framed` has a border, for groups. */
  readonly kind?: 'copy' | 'framed';
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

export function IconButton({ icon, label, kind, disabled = false, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      class={kind === 'copy' ? 'copy' : kind === 'framed' ? 'btn icon s' : 'btn icon s quiet'}
      aria-label={label}
      title={label}
      // Not `disabled`: a disabled button loses the focus.
      aria-disabled={disabled}
      onClick={() => disabled || onClick()}
    >
      <Icon name={icon} size="s" />
    </button>
  );
}
