import { statusText } from '../../data/formats/status-text.ts';

interface ResponseCodeProps {
  /** The HTTP status; `null` without a response. */
  readonly status: number | null;
  /** The kind of error where there was no response. */
  readonly error?: string | null | undefined;
}

/** The HTTP status of a response, or the kind of error if there was none. */
export function ResponseCode({ status, error }: ResponseCodeProps) {
  const good = status !== null && status >= 200 && status < 300;
  const shown = status ?? error;
  if (shown == null) return null;
  return (
    <span class={`code-n ${good ? 'ok' : 'bad'}`} title={status === null ? undefined : statusText(status)}>
      {String(shown).replaceAll('_', ' ')}
    </span>
  );
}
