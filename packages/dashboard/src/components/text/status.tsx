import { Mark, type MarkName } from '../icons/mark.tsx';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'neutral';

/** The others are gray: those that are neither good nor bad, and those that a newer server adds. */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'ok',
  connected: 'ok',
  delivered: 'ok',
  completed: 'ok',
  succeeded: 'ok',
  sent: 'ok',
  retrying: 'warn',
  scheduled: 'info',
  due: 'info',
  pending: 'info',
  running: 'info',
  queued: 'info',
  waiting: 'info',
  collecting: 'info',
  invited: 'info',
  failing: 'bad',
  expired: 'warn',
  failed: 'bad',
  error: 'bad',
};

/** The mark of a tone. */
export const MARKS: Record<Tone, MarkName> = {
  ok: 'ok',
  warn: 'warn',
  bad: 'fail',
  info: 'wait',
  neutral: 'off',
};

interface StatusProps {
  readonly status: string;
  /** The tone, if `status` is not one of the API. */
  readonly tone?: Tone;
  /** The text to show instead of the status. */
  readonly label?: string;
  /** True beside a title; in a row, a mark and a word are enough. */
  readonly pill?: boolean;
}

/** A status as a shape, a word and a color; the color matters least. */
export function Status({ status, tone, label, pill = false }: StatusProps) {
  const shown = tone ?? TONES[status] ?? 'neutral';
  return (
    <span class={pill ? `pill ${shown}` : 'state'}>
      <Mark name={markOf(status, shown)} />
      {label ?? statusWord(status)}
    </span>
  );
}

/** The mark of a status alone, for rows that say it in their own column. */
export const markOf = (status: string, tone: Tone = TONES[status] ?? 'neutral'): MarkName =>
  status === 'retrying' ? 'retry' : MARKS[tone];

/** `secret_unreadable` is "Secret unreadable". */
export const statusWord = (status: string): string =>
  status.charAt(0).toUpperCase() + status.slice(1).replaceAll('_', ' ');
