import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../icons/icon.tsx';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'danger' | 'danger-solid' | 'quiet';
  readonly size?: 'small' | 'large' | undefined;
  readonly icon?: IconName | undefined;
  readonly type?: 'button' | 'submit';
  /** The thing that it is about, for those who cannot see its row. */
  readonly about?: string | undefined;
  /** True while its action runs: the button keeps its place and the focus, and does nothing. */
  readonly pending?: boolean;
  /** The reason why it cannot be pressed; shown as a tooltip and read aloud. */
  readonly blocked?: string | undefined;
  readonly disabled?: boolean;
  readonly onClick?: () => void;
}

const SIZES = { small: 's', large: 'l wide' } as const;

export function Button({ children, kind, size, icon, type = 'button', about, ...state }: ButtonProps) {
  const { pending = false, blocked, disabled = false, onClick } = state;
  const idle = !pending && !disabled && blocked === undefined;
  return (
    <button
      type={idle ? type : 'button'}
      class={['btn', kind, size && SIZES[size]].filter(Boolean).join(' ')}
      // Not `disabled`: a disabled button loses the focus, and shows nobody the reason.
      aria-disabled={!idle}
      aria-busy={pending}
      title={blocked}
      onClick={() => {
        if (idle) onClick?.();
      }}
    >
      {icon && <Icon name={icon} size="s" />}
      {children}
      {about && <span class="sr"> {about}</span>}
      {blocked !== undefined && <span class="sr">{blocked}</span>}
    </button>
  );
}
