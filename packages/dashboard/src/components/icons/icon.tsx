import type { IconName } from './sprite.ts';

export type { IconName };

interface IconProps {
  readonly name: IconName;
  /** `s` is 14 pixels, `x` is 12. */
  readonly size?: 's' | 'x';
}

/** Decoration: words beside it, or the label of its button, say what it means. */
export function Icon({ name, size }: IconProps) {
  return (
    <svg class={size === undefined ? 'i' : `i i-${size}`} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}
