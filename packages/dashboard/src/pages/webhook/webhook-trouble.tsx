import { LIMITS } from '@hubline/contract/constants';
import type { Webhook } from '@hubline/sdk';
import { Notice } from '../../components/page/notice.tsx';
import { ResponseCode } from '../../components/text/response-code.tsx';
import { Time } from '../../components/text/time.tsx';
import { failureWords } from '../deliveries/causes/failure-words.ts';
import { RetryAll } from '../deliveries/retry/retry-all.tsx';
import { disabledBecause } from '../webhooks/webhook-state.tsx';

/** The reason why a webhook is not called, or soon will not be, with the cure. */
export function WebhookTrouble({ webhook }: { webhook: Webhook }) {
  const { id, status, disabled_at, failing_since: since, last_failed_attempt: last } = webhook;
  if (status === 'disabled') {
    return (
      <Notice
        tone="warn"
        title={
          <>
            Disabled since <Time value={disabled_at} />
          </>
        }
      >
        <p>{disabledBecause(webhook)} Its deliveries are held; they are sent when it is enabled.</p>
      </Notice>
    );
  }
  if (since === null) return null;
  return (
    <Notice
      tone="bad"
      title={
        <>
          Nothing has arrived since <Time value={since} />
        </>
      }
      actions={
        <RetryAll label="Retry failed" filters={() => ({ webhook_id: id })} onSent={() => undefined} />
      }
    >
      <p>
        No attempt has succeeded. Hubline disables this webhook on <Time value={disablingAt(since)} /> if this
        continues.
      </p>
      {last && (
        // It changes with each attempt, and the notice would be spoken each time.
        <p class="said" aria-live="off">
          <ResponseCode status={last.response_status} error={last.error_kind} />
          <span class="clip grow">{failureWords(last.response_status, last.error_kind)}</span>
          <span class="end-link">
            Last attempt <Time value={last.at} />
          </span>
        </p>
      )}
    </Notice>
  );
}

const disablingAt = (since: string): string =>
  new Date(Date.parse(since) + LIMITS.failingMaxMs).toISOString();
