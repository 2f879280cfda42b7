import type { Webhook } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { Mark } from '../../components/icons/mark.tsx';
import { Section } from '../../components/page/section.tsx';
import { QueryState } from '../../components/page/loading.tsx';
import { ResponseCode } from '../../components/text/response-code.tsx';
import { markOf, statusWord } from '../../components/text/status.tsx';
import { Time } from '../../components/text/time.tsx';
import { useRefreshed } from '../../data/queries/use-refreshed.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { AttemptNote } from '../deliveries/attempt-note.tsx';

const SHOWN = 8;
const REFRESH_MS = 10_000;

/** The latest deliveries of a webhook, with a link to all of them. `round` changes when there should be new ones. */
export function WebhookDeliveries({ webhook: { id, status }, round }: { webhook: Webhook; round: number }) {
  const workspace = useWorkspace();
  const deliveries = useRefreshed(
    (signal) => client.deliveries.listForWebhook(id, { limit: SHOWN }, { signal }),
    ['deliveries', 'of-webhook', id, status, round],
    { everyMs: REFRESH_MS },
  );
  const items = deliveries.data?.data;
  return (
    <Section
      title="Latest deliveries"
      actions={
        <a class="link" href={workspace.href(`deliveries?webhook=${id}`)}>
          All deliveries
        </a>
      }
    >
      <QueryState of={deliveries} rows={3} />
      {items?.length === 0 && (
        <p class="dim">Nothing has been sent yet. A test event shows whether the receiver responds.</p>
      )}
      {items !== undefined && items.length > 0 && (
        <div class="rows" role="group" aria-label="Latest deliveries">
          {items.map((delivery) => (
            <a key={delivery.id} href={workspace.href(`deliveries/${delivery.id}`)}>
              <Mark name={markOf(delivery.status)} label={statusWord(delivery.status)} />
              <Time value={delivery.created_at} />
              <span class="mono clip grow">{delivery.event_name ?? delivery.event_type}</span>
              <ResponseCode
                status={delivery.last_attempt?.response_status ?? null}
                error={delivery.last_attempt?.error_kind}
              />
              <span class="r-end">
                <AttemptNote delivery={delivery} />
              </span>
            </a>
          ))}
        </div>
      )}
    </Section>
  );
}
