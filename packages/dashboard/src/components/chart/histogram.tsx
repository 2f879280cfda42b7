import { useSignal } from '@preact/signals';
import { formatMany, LOCALE } from '../../data/formats/format-number.ts';
import { minutes } from '../text/time.tsx';

/** One bar: the numbers of events, and of the attempts for them. */
export interface HistogramBar {
  readonly at: string;
  readonly events: number;
  readonly failed: number;
  readonly succeeded: number;
}

interface HistogramProps {
  readonly bars: readonly HistogramBar[];
  /** The label, such as `Events per minute in the last hour`. */
  readonly label: string;
  /** The time of the bar that was picked. */
  readonly picked?: string | undefined;
  /** Called with the bar that was clicked, or chosen by a key. */
  readonly onPick?: (bar: HistogramBar) => void;
}

const STEP = 20;
const WIDTH = 14;
const HEIGHT = 44;

const NEXT = { ArrowLeft: 'previousElementSibling', ArrowRight: 'nextElementSibling' } as Readonly<
  Record<string, 'previousElementSibling' | 'nextElementSibling'>
>;

const dated = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', hour: '2-digit', minute: '2-digit' });

const textOf = ({ at, events, failed }: HistogramBar) =>
  `${dated.format(new Date(at))}: ${formatMany(events, ['event', 'events'])}${failed > 0 ? `, failed attempts: ${failed}` : ''}`;

/** A strip of bars over time above a list, from which a time can be picked. Arrow keys lead from bar to bar. The numbers of a bar replace the axis. */
export function Histogram({ bars, label, picked, onPick }: HistogramProps) {
  const top = Math.max(1, ...bars.map(({ events }) => events));
  const days = bars.length > 0 && Date.now() - Date.parse(bars[0]?.at ?? '') > 86_000_000;
  const ticks = [0, 0.25, 0.5, 0.75].map((share) => bars[Math.floor(share * bars.length)]?.at);
  const focused = useSignal('');
  const current = bars.find(({ at }) => at === (focused.value || picked));
  return (
    <div class="hist">
      <svg
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="group"
        aria-label={label}
      >
        {bars.map((bar, index) => {
          const { at, events, failed, succeeded } = bar;
          const height = (events / top) * HEIGHT;
          // The share of failed attempts, but at most their number: other attempts may not have begun.
          const bad = Math.min((failed / top) * HEIGHT, (height * failed) / (failed + succeeded || 1));
          const text = textOf(bar);
          const pick = () => onPick?.(bar);
          return (
            <g
              key={at}
              class="hist-bar"
              role="button"
              aria-pressed={at === picked}
              tabindex={bar === (current ?? bars.at(-1)) ? 0 : -1}
              onClick={pick}
              onFocus={() => (focused.value = at)}
              onBlur={() => (focused.value = '')}
              onKeyDown={(event) => {
                const { key, currentTarget } = event;
                if (event.altKey || event.metaKey) return;
                const next = NEXT[key];
                if (next) (currentTarget[next] as SVGElement | null)?.focus();
                else if (key === 'Enter' || key === ' ') pick();
                else return;
                event.preventDefault();
              }}
            >
              <title>{text}</title>
              <rect class="hist-hit" x={index * STEP} y="0" width={STEP} height={HEIGHT} />
              <rect
                class="c-ok"
                x={index * STEP + 3}
                y={HEIGHT - height + bad}
                width={WIDTH}
                height={height - bad}
              />
              {bad > 0 && (
                <rect class="c-fail" x={index * STEP + 3} y={HEIGHT - height} width={WIDTH} height={bad} />
              )}
            </g>
          );
        })}
      </svg>
      <div class="axis" aria-hidden="true">
        {(current && textOf(current)) ||
          [
            ...ticks.map((at) => (at === undefined ? '' : (days ? dated : minutes).format(new Date(at)))),
            'now',
          ].map((text, index) => <span key={index}>{text}</span>)}
      </div>
    </div>
  );
}
