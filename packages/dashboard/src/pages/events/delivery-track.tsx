import type { DeliveryCounts } from './event-cells.tsx';

/** From left to right: the delivered ones, then those that may need attention. */
const SEGMENTS = [
  { status: 'delivered', look: 'k' },
  { status: 'failed', look: 'f' },
  { status: 'retrying', look: 'r' },
  { status: 'pending', look: 'p' },
  { status: 'held', look: 'p' },
  { status: 'cancelled', look: 'p' },
] as const;

/** More segments than this could not be told apart. */
const SEGMENTS_MAX = 8;
const WIDTH = 6;
const STEP = 8;
const HEIGHT = 12;

/** The deliveries of an event: a segment for each webhook, whose shape also shows the status, and `3/4`. */
export function DeliveryTrack({ counts }: { counts: DeliveryCounts | undefined }) {
  if (counts === undefined) return <span class="track">…</span>;
  const all = SEGMENTS.reduce((sum, { status }) => sum + (counts[status] ?? 0), 0);
  if (all === 0) return <span class="track">no webhook</span>;
  const { delivered = 0, failed = 0, retrying = 0 } = counts;
  const looks = SEGMENTS.flatMap(({ status, look }) =>
    Array.from({ length: counts[status] ?? 0 }, () => look),
  );
  // If not everything fits, the middle is left out, so that trouble is still shown.
  const shown = all > SEGMENTS_MAX ? [...looks.slice(0, 3), ...looks.slice(3 - SEGMENTS_MAX)] : looks;
  const tone = failed > 0 ? 'bad-t' : retrying > 0 ? 'warn-t' : undefined;
  return (
    <span class="track">
      <svg width={shown.length * STEP - (STEP - WIDTH)} height={HEIGHT} aria-hidden="true">
        {shown.map((look, at) => (
          <Segment key={at} look={look} x={at * STEP} />
        ))}
      </svg>
      <span class={tone} aria-hidden="true">
        {delivered}/{all}
      </span>
      <span class="sr">{wordsOf(counts)}</span>
    </span>
  );
}

function Segment({ look, x }: { look: 'k' | 'f' | 'r' | 'p'; x: number }) {
  if (look === 'r') return <rect class="r" x={x} y="7" width={WIDTH} height="5" />;
  if (look === 'p') return <rect class="p" x={x + 0.5} y="0.5" width={WIDTH - 1} height={HEIGHT - 1} />;
  if (look === 'k') return <rect class="k" x={x} y="0" width={WIDTH} height={HEIGHT} />;
  // Broken in two, so that it can be recognized without color.
  return (
    <>
      <rect class="f" x={x} y="0" width={WIDTH} height="5" />
      <rect class="f" x={x} y="7" width={WIDTH} height="5" />
    </>
  );
}

/** `3 delivered, 1 retrying` */
const wordsOf = (counts: DeliveryCounts): string =>
  SEGMENTS.flatMap(({ status }) => {
    const count = counts[status] ?? 0;
    return count > 0 ? [`${count} ${status}`] : [];
  }).join(', ');
