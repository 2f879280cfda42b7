import '../../styles/numbers.css';
import type { ComponentChildren } from 'preact';

interface StatProps {
  readonly label: string;
  /** `undefined` while it loads. */
  readonly value: ComponentChildren;
  /** The parts, or a comparison. */
  readonly note?: ComponentChildren;
  readonly tone?: 'ok' | 'warn' | 'bad' | undefined;
}

/** One number with its name. Several stand in a `<Stats>`. */
export function Stat({ label, value, note, tone }: StatProps) {
  return (
    <div class="stat" data-tone={tone}>
      <dt>{label}</dt>
      <dd>{value === undefined ? <span class="skeleton" /> : value}</dd>
      <dd class="stat-note">{value === undefined ? null : note}</dd>
    </div>
  );
}

/** Numbers side by side. */
export function Stats({ children }: { children: ComponentChildren }) {
  return <dl class="stats">{children}</dl>;
}
