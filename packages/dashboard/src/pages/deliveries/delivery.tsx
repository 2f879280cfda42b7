import type { DeliveryDetail, Webhook } from '@hubline/sdk';
import { useRoute } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { Countdown } from '../../components/text/countdown.tsx';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Id } from '../../components/text/id.tsx';
import { KeyValue } from '../../components/page/key-value.tsx';
import { Loading } from '../../components/page/loading.tsx';
import { Page } from '../../components/page/page.tsx';
import { Status } from '../../components/text/status.tsx';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import { usePoll } from '../../data/use-poll.ts';
import { useQuery } from '../../data/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { DeliveryAttempts } from './delivery-attempts.tsx';
import { DeliveryRequest } from './delivery-request.tsx';
import { isUnderWay } from './delivery-statuses.ts';
import { RetryButton } from './retry-button.tsx';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { WebhookName } from '../webhooks/webhook-name.tsx';

const POLL_MS = { soon: 1_000, later: 10_000 } as const;
const SOON_MS = 15_000;

export function DeliveryPage() {
  const workspace = useWorkspace();
  const id = useRoute().params['id'] ?? '';
  const query = useQuery((signal) => client.deliveries.get(id, { signal }), [id]);
  const webhooks = useWebhooks(workspace.id);
  const delivery = query.data;
  usePoll(async (signal) => query.set(await client.deliveries.get(id, { signal })), pollDelay(delivery));
  return (
    <Page
      title={delivery ? `Delivery of ${delivery.event_type}` : 'Delivery'}
      actions={
        delivery && (
          <RetryButton
            delivery={delivery}
            onSent={(sent) => {
              query.set({ ...delivery, ...sent });
              query.reload();
            }}
          />
        )
      }
    >
      {query.error !== undefined && <ErrorPanel error={query.error} retry={query.reload} />}
      {query.error === undefined && !delivery && <Loading />}
      {delivery && (
        <>
          <KeyValue rows={factsOf(delivery, webhooks, workspace.href)} />
          <DeliveryAttempts delivery={delivery} />
          <DeliveryRequest delivery={delivery} />
        </>
      )}
    </Page>
  );
}

/** Often when something is about to happen; not at all when it is over. */
function pollDelay(delivery: DeliveryDetail | undefined): number | undefined {
  if (!delivery || !isUnderWay(delivery)) return undefined;
  const next = delivery.next_attempt_at;
  return next !== null && Date.parse(next) - Date.now() > SOON_MS ? POLL_MS.later : POLL_MS.soon;
}

type Row = Parameters<typeof KeyValue>[0]['rows'][number];

/** The reason for a delivery without an event. */
const REASONS: Readonly<Record<string, string>> = {
  test: 'A test call',
  manual: 'Sent by hand',
  recovery: 'Sent by a recovery',
};

function factsOf(
  delivery: DeliveryDetail,
  webhooks: ReadonlyMap<string, Webhook> | undefined,
  href: (page: string) => string,
): readonly Row[] {
  const { status, event_id: eventId, next_attempt_at: next, completed_at: ended } = delivery;
  const rows: (Row | false)[] = [
    ['Status', <Status status={status} />],
    next !== null && ['Next attempt', <Countdown until={next} />],
    status === 'held' && ['Held', 'until the webhook is enabled again'],
    ['Webhook', <WebhookName id={delivery.webhook_id} webhooks={webhooks} />],
    eventId !== null && ['Event', <Id value={eventId} href={href(`events/${eventId}`)} />],
    delivery.trigger !== 'event' && ['Reason', REASONS[delivery.trigger] ?? delivery.trigger],
    ['Created', <TimeAgo value={delivery.created_at} />],
    ended !== null && ['Ended', <TimeAgo value={ended} />],
    ['Delivery', <Id value={delivery.id} />],
  ];
  return rows.filter((row) => row !== false);
}
