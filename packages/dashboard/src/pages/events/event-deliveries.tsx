import { client } from '../../api/client.ts';
import { Icon } from '../../components/icons/icon.tsx';
import { Mark } from '../../components/icons/mark.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Loading } from '../../components/page/loading.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { Section } from '../../components/page/section.tsx';
import { ResponseCode } from '../../components/text/response-code.tsx';
import { markOf, Status, statusWord } from '../../components/text/status.tsx';
import { usePages } from '../../data/queries/use-pages.ts';
import { usePoll } from '../../data/queries/use-poll.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { AttemptNote } from '../deliveries/attempt-note.tsx';
import { isUnderWay } from '../deliveries/delivery-statuses.ts';
import { refreshDeliveries } from '../deliveries/refresh-deliveries.ts';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { webhookName } from '../webhooks/webhook-name.tsx';

const POLL_MS = 2_000;
/** The interval while none is under way: one that has not arrived may be retried elsewhere. */
const RETRIED_MS = 8_000;

/** The deliveries of an event, by webhook, with their states. */
export function EventDeliveries({ eventId }: { eventId: string }) {
  const workspace = useWorkspace();
  const read = (signal: AbortSignal) =>
    client.deliveries.list(workspace.id, { event_id: eventId, limit: 50 }, { signal });
  const deliveries = usePages(read, ['deliveries', workspace.id, 'of', eventId]);
  const { items } = deliveries;
  const webhooks = useWebhooks(workspace.id);
  usePoll(
    (signal) => refreshDeliveries(deliveries, read, signal),
    items?.some(isUnderWay)
      ? POLL_MS
      : items?.some(({ status }) => status !== 'delivered')
        ? RETRIED_MS
        : undefined,
  );
  const count = (status: string) => items?.filter((each) => each.status === status).length ?? 0;
  const [failed, retrying] = [count('failed'), count('retrying')];
  return (
    <Section
      title="Deliveries"
      note={
        failed > 0 ? (
          <Status status="failed" pill label={`${failed} failed`} />
        ) : retrying > 0 ? (
          <Status status="retrying" pill label={`${retrying} retrying`} />
        ) : undefined
      }
    >
      {items === undefined && deliveries.error === undefined && <Loading rows={2} />}
      {items?.length === 0 && (
        <EmptyState title="No webhook">
          No <a href={workspace.href('webhooks')}>webhook</a> was subscribed to this event when it arrived.
        </EmptyState>
      )}
      {items !== undefined && items.length > 0 && (
        <div class="rows">
          {items.map((delivery) => (
            <a key={delivery.id} href={workspace.href(`deliveries/${delivery.id}`)}>
              <Mark name={markOf(delivery.status)} label={statusWord(delivery.status)} />
              <span class="strong clip">
                {webhookName(webhooks?.get(delivery.webhook_id), delivery.webhook_url ?? delivery.webhook_id)}
              </span>
              <ResponseCode
                status={delivery.last_attempt?.response_status ?? null}
                error={delivery.last_attempt?.error_kind}
              />
              <span class="r-end">
                <AttemptNote delivery={delivery} />
                <Icon name="right" size="x" />
              </span>
            </a>
          ))}
        </div>
      )}
      {deliveries.hasMore || deliveries.error !== undefined ? <LoadMore pages={deliveries} /> : null}
    </Section>
  );
}
