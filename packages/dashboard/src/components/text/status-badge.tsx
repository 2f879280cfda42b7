export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'neutral';

/** Every status of the API. What a newer server adds is shown in gray. */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'ok',
  connected: 'ok',
  delivered: 'ok',
  completed: 'ok',
  retrying: 'warn',
  pending: 'info',
  running: 'info',
  invited: 'info',
  failing: 'warn',
  expired: 'warn',
  failed: 'bad',
  error: 'bad',
  revoked: 'neutral',
  disabled: 'neutral',
  disconnected: 'neutral',
  cancelled: 'neutral',
};

/** A shape for each tone, for those who cannot tell the colors apart. */
const SHAPES: Record<Tone, string> = {
  ok: 'M4 0a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  warn: 'M4 0 8 8H0z',
  bad: 'M0 0h8v8H0z',
  info: 'M4 0 8 4 4 8 0 4z',
  neutral: 'M0 3h8v2H0z',
};

/** A status in color, shape and word. `tone` for what is not a status of the API; `label` for other words. */
export function StatusBadge({ status, tone, label }: { status: string; tone?: Tone; label?: string }) {
  const shown = tone ?? TONES[status] ?? 'neutral';
  return (
    <span class="badge" data-tone={shown}>
      <svg viewBox="0 0 8 8" aria-hidden="true">
        <path d={SHAPES[shown]} fill="currentColor" />
      </svg>
      {label ?? status.replaceAll('_', ' ')}
    </span>
  );
}
