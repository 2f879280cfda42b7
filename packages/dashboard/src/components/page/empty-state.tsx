import type { ComponentChildren } from 'preact';
import { CodeSnippet } from '../text/code-snippet.tsx';

interface EmptyStateProps {
  readonly title: string;
  /** Why there is nothing, and what to do. */
  readonly children: ComponentChildren;
  /** A button. */
  readonly action?: ComponentChildren;
  /** The same from a program: `{ curl: 'curl …' }`. */
  readonly samples?: Readonly<Record<string, string>>;
}

/** Nothing here yet: says how there will be something. */
export function EmptyState({ title, children, action, samples }: EmptyStateProps) {
  return (
    <div class="empty">
      <Figure />
      <h2>{title}</h2>
      <p>{children}</p>
      {action !== undefined && <div class="acts">{action}</div>}
      {samples && <CodeSnippet samples={samples} />}
    </div>
  );
}

/** Tools, the hub, and a place where nothing is yet. */
function Figure() {
  return (
    <svg class="art" viewBox="0 0 168 72" aria-hidden="true">
      {[12, 36, 60].map((y) => (
        <g key={y}>
          <path class="wirep" d={`M34 ${y}C58 ${y} 58 36 80 36`} />
          <rect class="tile" x="10.5" y={y - 9.5} width="24" height="19" rx="5" />
        </g>
      ))}
      <path class="wirep dash" d="M88 36h42" />
      <rect class="tile dash" x="131.5" y="23.5" width="25" height="25" rx="6" />
      <circle class="bit" cx="84" cy="36" r="9" />
    </svg>
  );
}
