import type { Webhook } from '@hubline/sdk';
import { Status, statusWord } from '../../components/text/status.tsx';

const REASONS: Readonly<Record<string, { short: string; long: string }>> = {
  manual: { short: 'by hand', long: 'It was disabled by hand.' },
  failing: { short: 'kept failing', long: 'Every attempt failed for 5 days.' },
  secret_unreadable: {
    short: 'secret unreadable',
    long: 'Its secret can no longer be decrypted, so calls cannot be signed. Rotate the secret to enable it.',
  },
  gone: { short: 'answered 410', long: 'The receiver answered 410 Gone: it wants no more calls.' },
};

/** Its status, and in few words who or what disabled it. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { status, disabled_reason: reason, failing_since: since } = webhook;
  if (reason === null && since !== null) return <Status status="failing" />;
  if (reason === null) return <Status status={status} />;
  // Disabled by hand is a choice; any other reason needs attention.
  return (
    <Status
      status={status}
      tone={reason === 'manual' ? 'neutral' : 'bad'}
      label={`${statusWord(status)}: ${REASONS[reason]?.short ?? reason}`}
    />
  );
}

/** Why it is disabled, as a sentence. */
export const disabledBecause = ({ disabled_reason: reason }: Webhook): string =>
  reason === null ? '' : (REASONS[reason]?.long ?? `It is disabled: ${reason}.`);

/** The name of a webhook in sentences: its host, since URLs are long. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? url;
