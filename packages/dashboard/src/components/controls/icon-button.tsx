import { Icon, type IconName } from './icon.tsx';

interface IconButtonProps {
  readonly icon: IconName;
  /** The effect, as its name and its tooltip. */
  readonly label: string;
  readonly onClick: () => void;
}

export function IconButton({ icon, label, onClick }: IconButtonProps) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
