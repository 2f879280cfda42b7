import { LIMITS } from '@hubline/contract/constants';
import type { Webhook } from '@hubline/sdk';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import { disabledBecause } from '../webhooks/webhook-state.tsx';
import { Notice } from '../../components/page/notice.tsx';

/** The reason why a webhook is not called, or soon will not be. */
export function WebhookTrouble({ webhook }: { webhook: Webhook }) {
  const { status, disabled_at, failing_since: since } = webhook;
  if (status === 'disabled') {
    return (
      <Notice tone="warn">
        <p>
          <strong>Disabled</strong> <TimeAgo value={disabled_at} />. {disabledBecause(webhook)} Its deliveries
          are held; they are sent when it is enabled.
        </p>
      </Notice>
    );
  }
  if (since === null) return null;
  return (
    <Notice tone="bad">
      <p>
        <strong>Failing</strong> since <TimeAgo value={since} />: no attempt has succeeded. It will be
        disabled automatically <TimeAgo value={disablingAt(since)} /> if this continues.
      </p>
    </Notice>
  );
}

const disablingAt = (since: string): string =>
  new Date(Date.parse(since) + LIMITS.failingMaxMs).toISOString();
