import type { ComponentChildren } from 'preact';
import { Sparkline } from './sparkline.tsx';

interface StatProps {
  readonly label: string;
  /** `undefined` while it loads. */
  readonly value: ComponentChildren;
  /** The unit, smaller than the number. */
  readonly unit?: string | undefined;
  /** The parts, or a comparison. */
  readonly note?: ComponentChildren;
  readonly tone?: 'warn' | 'bad' | undefined;
  /** Its course, oldest first. */
  readonly course?: readonly (number | null)[] | undefined;
}

/** One number with its name. Several stand in a `<Stats>`. */
export function Stat({ label, value, unit, note, tone, course }: StatProps) {
  return (
    <div class="tile">
      <dt>{label}</dt>
      <dd class={tone === undefined ? 'fig' : `fig ${tone}-t`}>
        {value === undefined ? <span class="skel w2" /> : value}
        {unit !== undefined && value !== undefined && <small>{unit}</small>}
      </dd>
      <dd class="under">{value === undefined ? null : note}</dd>
      {course && (
        <dd>
          <Sparkline values={course} tone={tone === 'bad' ? 'bad' : 'ok'} />
        </dd>
      )}
    </div>
  );
}

/** Numbers side by side. */
export function Stats({ children, four = false }: { children: ComponentChildren; four?: boolean }) {
  return <dl class={four ? 'tiles four' : 'tiles'}>{children}</dl>;
}
