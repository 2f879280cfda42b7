import type { MarkName } from './sprite.ts';

export type { MarkName };

/** The mark of a state. Decoration with a word beside it; alone it needs a `label`. */
export function Mark({ name, label }: { name: MarkName; label?: string }) {
  return (
    <svg
      class={`mk mk-${name}`}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <use href={`#mk-${name}`} />
    </svg>
  );
}
