import type { ComponentChildren } from 'preact';
import { formatCount, tenths } from '../../data/formats/format-number.ts';
import { Icon } from '../icons/icon.tsx';
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
  /** The history for the sparkline, oldest first. */
  readonly history?: readonly (number | null)[] | undefined;
}

/** One number with its name. Several go into a `<Stats>`. */
export function Stat({ label, value, unit, note, tone, history }: StatProps) {
  return (
    <div class="tile">
      <dt>{label}</dt>
      <dd class={tone === undefined ? 'fig' : `fig ${tone}-t`}>
        {value === undefined ? <span class="skel w2" /> : value}
        {unit !== undefined && value !== undefined && <small>{unit}</small>}
      </dd>
      <dd class="under">{value === undefined ? null : note}</dd>
      {history && (
        <dd>
          <Sparkline values={history} tone={tone === 'bad' ? 'bad' : 'ok'} />
        </dd>
      )}
    </div>
  );
}

/** Numbers side by side. */
export function Stats({ children, four = false }: { children: ComponentChildren; four?: boolean }) {
  return <dl class={four ? 'tiles four' : 'tiles'}>{children}</dl>;
}

export interface DeltaProps {
  readonly now: number;
  /** The same number in the window before. */
  readonly before: number;
  /** The direction that is good; without one, the change is neither good nor bad. */
  readonly good?: 'up' | 'down';
  /** Formats the change. Default: a share of the number before. */
  readonly format?: (change: number) => string;
}

/** The change of a number since the window before. */
export function Delta({ now, before, good, format }: DeltaProps) {
  const change = now - before;
  if (change === 0) return <span class="delta faint">no change</span>;
  const size = Math.abs(change);
  const written = format ? format(size) : before > 0 ? percent(size / before) : formatCount(size);
  const up = change > 0;
  const tone = good === undefined ? 'faint' : (good === 'up') === up ? 'ok-t' : 'bad-t';
  return (
    <span class={`delta ${tone}`}>
      <Icon name={up ? 'arrowup' : 'arrowdown'} size="x" />
      <span class="sr">{up ? 'up' : 'down'} </span>
      {written}
    </span>
  );
}

const percent = (share: number): string => `${tenths.format(share * 100)}%`;
