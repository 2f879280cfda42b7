import { minutes } from '../text/time.tsx';

/** The attempts in one part of a window. */
export interface StripCell {
  readonly at: string;
  readonly succeeded: number;
  readonly failed: number;
}

const CELL = 20;
const GAP = 2;
const HEIGHT = 18;
/** A part without attempts is a low bar: nothing happened, which does not mean that all was well. */
const NOTHING = 4;

/** The health of a webhook over time: each cell is filled from below with what succeeded, and from above with what failed. */
export function HealthStrip({ cells, label }: { cells: readonly StripCell[]; label: string }) {
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${Math.max(cells.length, 1) * CELL - GAP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {cells.map(({ at, succeeded, failed }, index) => (
        <g key={at}>
          <title>{`${minutes.format(new Date(at))}: ${succeeded} succeeded, ${failed} failed`}</title>
          <Cell x={index * CELL} succeeded={succeeded} failed={failed} />
        </g>
      ))}
    </svg>
  );
}

function Cell({ x, succeeded, failed }: { x: number; succeeded: number; failed: number }) {
  const width = CELL - GAP;
  const all = succeeded + failed;
  if (all === 0) return <rect class="n" x={x} y={HEIGHT - NOTHING} width={width} height={NOTHING} />;
  if (failed === 0) return <rect class="k" x={x} y="0" width={width} height={HEIGHT} />;
  // A single failure among thousands is still seen.
  const bad = Math.max((failed / all) * HEIGHT, 3);
  return (
    <>
      <rect class={failed / all < 0.1 ? 'r' : 'f'} x={x} y="0" width={width} height={bad} />
      {bad < HEIGHT - 1 && <rect class="k" x={x} y={bad + 1.5} width={width} height={HEIGHT - bad - 1.5} />}
    </>
  );
}
