import { LOCALE } from '../../data/formats/format-number.ts';
import { minutes } from '../text/time.tsx';

/** One bar: the number of items, and of those that failed. */
export interface HistogramBar {
  readonly at: string;
  readonly count: number;
  readonly bad: number;
}

interface HistogramProps {
  readonly bars: readonly HistogramBar[];
  /** The label, such as `Events per minute in the last hour`. */
  readonly label: string;
  /** The noun in the tooltips: `events`. */
  readonly noun: string;
  /** Called with the bar that was clicked. */
  readonly onPick?: (bar: HistogramBar) => void;
}

const STEP = 20;
const WIDTH = 14;
const HEIGHT = 44;

const dated = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', hour: '2-digit', minute: '2-digit' });

/** A strip of bars over time above a list, from which a time can be picked. */
export function Histogram({ bars, label, noun, onPick }: HistogramProps) {
  const top = Math.max(1, ...bars.map(({ count }) => count));
  const days = bars.length > 0 && Date.now() - Date.parse(bars[0]?.at ?? '') > 86_000_000;
  const ticks = [0, 0.25, 0.5, 0.75].map((share) => bars[Math.floor(share * bars.length)]?.at);
  return (
    <div class="hist">
      <svg
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {bars.map((bar, index) => {
          const { at, count, bad } = bar;
          const height = (count / top) * HEIGHT;
          const failed = count === 0 ? 0 : (Math.min(bad, count) / count) * height;
          return (
            <g key={at} class="hist-bar" onClick={() => onPick?.(bar)}>
              <title>{`${dated.format(new Date(at))}: ${count} ${noun}${bad > 0 ? `, ${bad} failed` : ''}`}</title>
              <rect class="hist-hit" x={index * STEP} y="0" width={STEP} height={HEIGHT} />
              <rect
                class="c-ok"
                x={index * STEP + 3}
                y={HEIGHT - height + failed}
                width={WIDTH}
                height={height - failed}
              />
              {failed > 0 && (
                <rect class="c-fail" x={index * STEP + 3} y={HEIGHT - height} width={WIDTH} height={failed} />
              )}
            </g>
          );
        })}
      </svg>
      <div class="axis" aria-hidden="true">
        {ticks.map((at, index) => (
          <span key={index}>{at === undefined ? '' : (days ? dated : minutes).format(new Date(at))}</span>
        ))}
        <span>now</span>
      </div>
    </div>
  );
}
