import type { DeliveryDetail } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import type { ComponentProps } from 'preact';
import { useRoute } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { Icon } from '../../components/icons/icon.tsx';
import { Page } from '../../components/page/page.tsx';
import { QueryState } from '../../components/page/loading.tsx';
import { copyWithToast } from '../../components/dialogs/copy-with-toast.ts';
import { Id } from '../../components/text/id.tsx';
import { Status } from '../../components/text/status.tsx';
import { Time } from '../../components/text/time.tsx';
import { formatDuration } from '../../data/formats/format-number.ts';
import { usePoll } from '../../data/queries/use-poll.ts';
import { useQuery } from '../../data/queries/use-query.ts';
import { mustBeIn, useWorkspace } from '../../session/workspace.ts';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { WebhookName, webhookName } from '../webhooks/webhook-name.tsx';
import { AttemptExchange } from './attempt-exchange.tsx';
import { curlOf } from './curl-of.ts';
import { DeliveryAttempts } from './delivery-attempts.tsx';
import { isUnderWay } from '../deliveries/delivery-statuses.ts';
import { NextAttempt } from './next-attempt.tsx';
import { RetryButton } from '../deliveries/retry/retry-button.tsx';

const POLL_MS = { soon: 1_000, later: 10_000 } as const;
const SOON_MS = 15_000;

export function DeliveryPage() {
  const workspace = useWorkspace();
  const id = useRoute().params['id'] ?? '';
  const query = useQuery(
    async (signal) => mustBeIn(workspace.id, await client.deliveries.get(id, { signal })),
    ['deliveries', 'one', workspace.id, id],
  );
  const webhooks = useWebhooks(workspace.id);
  // The newest attempt is shown until somebody chooses one.
  const chosen = useSignal<string>();
  const delivery = query.data;
  usePoll(query.refresh, pollDelay(delivery));
  const name = delivery && (delivery.event_name ?? delivery.event_type);
  const to =
    delivery && webhookName(webhooks?.get(delivery.webhook_id), delivery.webhook_url ?? 'a deleted webhook');
  const attempt = delivery?.attempts.find((each) => each.id === chosen.value) ?? delivery?.attempts.at(-1);
  const changedAt = delivery && webhooks?.get(delivery.webhook_id)?.updated_at;
  const changedSince = attempt !== undefined && changedAt !== undefined && attempt.started_at < changedAt;
  return (
    <Page
      title={delivery ? `${name} → ${to}` : 'Delivery'}
      heading={
        delivery && (
          <span class="line">
            <span class="clip">{name}</span> <Icon name="arrow" /> <span class="sr">→ </span>
            <span class="clip">{to}</span>
          </span>
        )
      }
      parent={{ label: 'Deliveries', href: workspace.href('deliveries') }}
      actions={
        delivery && (
          <RetryButton
            delivery={delivery}
            onSent={(sent) => {
              chosen.value = undefined;
              query.set({ ...delivery, ...sent });
              query.reload();
            }}
          />
        )
      }
      meta={delivery && <Meta delivery={delivery} webhooks={webhooks} />}
      layout={delivery ? 'fill' : undefined}
    >
      <QueryState of={query} />
      {delivery && (
        <div class="scroll" tabIndex={-1}>
          <div class="delivery">
            <section class="rail" aria-label="Attempts">
              {delivery.next_attempt_at !== null && (
                <NextAttempt delivery={delivery} at={delivery.next_attempt_at} />
              )}
              {delivery.attempts.length === 0 && delivery.next_attempt_at === null && (
                <p class="dim">No attempt has been made yet.</p>
              )}
              <DeliveryAttempts
                delivery={delivery}
                shown={attempt}
                onShow={(next) => (chosen.value = next.id)}
              />
            </section>
            <section class="pane" aria-label={attempt ? `Attempt ${attempt.attempt}` : 'Request'}>
              <ExchangeHead delivery={delivery} attempt={attempt} changedSince={changedSince} />
              <AttemptExchange
                key={attempt?.id}
                delivery={delivery}
                attempt={attempt}
                changedSince={changedSince}
              />
            </section>
          </div>
        </div>
      )}
    </Page>
  );
}

function ExchangeHead({ delivery, attempt, changedSince }: ComponentProps<typeof AttemptExchange>) {
  return (
    <div class="section-head">
      <h2>{attempt ? `Attempt ${attempt.attempt}` : 'Request'}</h2>
      {attempt && (
        <span class="faint">
          <Time value={attempt.started_at} />, took {formatDuration(attempt.duration_ms)}
        </span>
      )}
      {delivery.request_body !== null && delivery.webhook_url !== null && (
        <span class="end">
          <Button
            kind="quiet"
            size="small"
            icon="terminal"
            onClick={() =>
              void copyWithToast(
                curlOf(delivery, attempt),
                `The call was copied as curl, ${changedSince ? 'with the webhook’s current URL, ' : ''}without its signatures.`,
              )
            }
          >
            Copy as curl
          </Button>
        </span>
      )}
    </div>
  );
}

/** The reason for a delivery without an event. */
const REASONS: Readonly<Record<string, string>> = {
  test: 'A test call',
  manual: 'Sent by hand',
  recovery: 'Sent by a recovery',
};

interface MetaProps {
  readonly delivery: DeliveryDetail;
  readonly webhooks: ReturnType<typeof useWebhooks>;
}

function Meta({ delivery, webhooks }: MetaProps) {
  const { href } = useWorkspace();
  const { status, event_id: eventId } = delivery;
  return (
    <>
      <Status status={status} pill />
      {status === 'held' && <span>until the webhook is enabled again</span>}
      <span>
        <Icon name="webhooks" size="s" />
        <WebhookName id={delivery.webhook_id} webhooks={webhooks} />
      </span>
      {eventId !== null && (
        <span>
          <Icon name="events" size="s" />
          <Id value={eventId} href={href(`events/${eventId}`)} />
        </span>
      )}
      {delivery.trigger !== 'event' && <span>{REASONS[delivery.trigger] ?? delivery.trigger}</span>}
      <span>
        <Icon name="clock" size="s" />
        <span>
          Created <Time value={delivery.created_at} />
        </span>
      </span>
      <Id value={delivery.id} />
    </>
  );
}

/** Polls often when something is about to happen, and not at all when the delivery has ended. */
function pollDelay(delivery: DeliveryDetail | undefined): number | undefined {
  if (!delivery || !isUnderWay(delivery)) return undefined;
  const next = delivery.next_attempt_at;
  return next !== null && Date.parse(next) - Date.now() > SOON_MS ? POLL_MS.later : POLL_MS.soon;
}
