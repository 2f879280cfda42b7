const WIDTH = 200;
const HEIGHT = 30;

/** A line without axes that fills its space. Decoration: the numbers are beside it. */
export function Sparkline({ values, tone }: { values: readonly (number | null)[]; tone: 'ok' | 'bad' }) {
  if (values.length < 2) return null;
  const known = values.map((value) => value ?? 0);
  const top = Math.max(...known, 1e-9);
  const step = WIDTH / Math.max(known.length - 1, 1);
  const points = known.map(
    (value, at) => `${round(at * step)} ${round(HEIGHT - 1.5 - (value / top) * (HEIGHT - 3))}`,
  );
  const bad = tone === 'bad' ? ' bad' : '';
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class={`c-area${bad}`} d={`M0 ${HEIGHT}L${points.join('L')}L${WIDTH} ${HEIGHT}z`} />
      <path class={`c-line${bad}`} d={`M${points.join('L')}`} />
    </svg>
  );
}

const round = (value: number): number => Math.round(value * 10) / 10;
