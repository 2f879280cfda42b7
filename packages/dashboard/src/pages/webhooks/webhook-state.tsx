import { GONE_MESSAGE, LIMITS } from '@hubline/contract/constants';
import type { DisabledReason, Webhook } from '@hubline/sdk';
import { Status, statusWord } from '../../components/text/status.tsx';

/** Below this share of successful attempts, the number is shown in red. */
const FINE_SHARE = 0.99;

/** Reports whether a share of successful attempts is worth a look. */
export const isLow = (success: number): boolean => success < FINE_SHARE;

const DAY_MS = 24 * 60 * 60_000;

interface Words {
  readonly short: string;
  readonly long: string;
}

const REASONS: Readonly<Record<DisabledReason, Words> & Record<string, Words>> = {
  manual: { short: 'by hand', long: 'It was disabled by hand.' },
  failing: { short: 'kept failing', long: `Every attempt failed for ${LIMITS.failingMaxMs / DAY_MS} days.` },
  secret_unreadable: {
    short: 'secret unreadable',
    long: 'Its secret can no longer be decrypted, so calls cannot be signed. Rotate the secret to enable it.',
  },
  gone: {
    short: 'responded with 410',
    long: GONE_MESSAGE,
  },
};

/** `active`, `failing` or `disabled`; `error` if Hubline disabled it. */
export function stateOf({ status, disabled_reason: reason, failing_since: since }: Webhook): string {
  if (reason !== null && reason !== 'manual') return 'error';
  return reason === null && since !== null ? 'failing' : status;
}

/** The state of a webhook in a few words, with the cause if Hubline disabled it. */
export function stateWord(webhook: Webhook): string {
  const { status, disabled_reason: reason } = webhook;
  if (reason === null) return statusWord(stateOf(webhook));
  return reason === 'manual' ? 'Disabled' : `${statusWord(status)}: ${REASONS[reason]?.short ?? reason}`;
}

/** The state of a webhook as a shape, a word and a color. */
export function WebhookState({ webhook, pill = false }: { webhook: Webhook; pill?: boolean }) {
  return <Status status={stateOf(webhook)} label={stateWord(webhook)} pill={pill} />;
}

/** The reason why a webhook is disabled, as a sentence. */
export const disabledBecause = ({ disabled_reason: reason }: Webhook): string =>
  reason === null ? '' : (REASONS[reason]?.long ?? `It is disabled: ${reason}.`);
