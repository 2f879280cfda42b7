import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface SectionProps {
  readonly title: string;
  /** A number or a word beside it. */
  readonly note?: ComponentChildren;
  readonly description?: ComponentChildren;
  /** Buttons and links at the end of the heading. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A part of a page, with its own heading. */
export function Section({ title, note, description, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section class="section" aria-labelledby={id}>
      <div class="section-head">
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span class="faint">{note}</span>}
        {actions !== undefined && <div class="end">{actions}</div>}
      </div>
      {description !== undefined && <p class="dim prose">{description}</p>}
      {children}
    </section>
  );
}
