import '../../styles/sections.css';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface SectionProps {
  readonly title: string;
  readonly description?: ComponentChildren;
  /** Buttons and links at the end of the heading. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A part of a page, with a heading of its own. */
export function Section({ title, description, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section class="section" aria-labelledby={id}>
      <div class="section-head">
        <div>
          <h2 id={id}>{title}</h2>
          {description !== undefined && <p class="muted">{description}</p>}
        </div>
        {actions !== undefined && <div class="row">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
