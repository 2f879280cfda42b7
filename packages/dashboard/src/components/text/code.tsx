import { statusText } from '../../data/formats/status-text.ts';

interface AnswerProps {
  /** The HTTP status; `null` without a response. */
  readonly status: number | null;
  /** The kind of error where there was no response. */
  readonly error?: string | null | undefined;
}

/** The response of the other side: its code, or the kind of error. */
export function AnswerCode({ status, error }: AnswerProps) {
  const good = status !== null && status >= 200 && status < 300;
  const shown = status ?? error;
  if (shown == null) return null;
  return (
    <span class={`code-n ${good ? 'ok' : 'bad'}`} title={status === null ? undefined : statusText(status)}>
      {String(shown).replaceAll('_', ' ')}
    </span>
  );
}
