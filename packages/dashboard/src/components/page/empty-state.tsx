import type { ComponentChildren } from 'preact';
import { CodeSnippet } from '../code/code-snippet.tsx';

interface EmptyStateProps {
  readonly title: string;
  /** The reason why there is nothing, and what to do. */
  readonly children: ComponentChildren;
  /** A button. */
  readonly action?: ComponentChildren;
  /** The same from a program: `{ curl: 'curl …' }`. */
  readonly samples?: Readonly<Record<string, string>>;
}

/** Shown instead of an empty list: says why it is empty, and how to fill it. */
export function EmptyState({ title, children, action, samples }: EmptyStateProps) {
  return (
    <div class="empty">
      <svg class="art" aria-hidden="true">
        <use href="#empty" />
      </svg>
      <h2>{title}</h2>
      <p>{children}</p>
      {action !== undefined && <div class="acts">{action}</div>}
      {samples && <CodeSnippet samples={samples} />}
    </div>
  );
}
