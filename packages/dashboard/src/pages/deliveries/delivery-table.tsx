import type { Delivery, Webhook } from '@hubline/sdk';
import { Table } from '../../components/page/table.tsx';
import { ResponseCode } from '../../components/text/response-code.tsx';
import { Countdown } from '../../components/text/countdown.tsx';
import { Status } from '../../components/text/status.tsx';
import { formatTime, Time } from '../../components/text/time.tsx';
import { attemptNumber } from '../../data/formats/attempt-number.ts';
import { formatDuration } from '../../data/formats/format-number.ts';
import type { Pages } from '../../data/queries/use-pages.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { WebhookName, webhookName } from '../webhooks/webhook-name.tsx';
import { RetryButton } from './retry/retry-button.tsx';

interface DeliveryTableProps {
  readonly deliveries: Pick<Pages<Delivery>, 'items' | 'update'>;
  readonly webhooks: ReadonlyMap<string, Webhook> | undefined;
  readonly picked: ReadonlySet<string>;
  readonly onPick: (picked: ReadonlySet<string>) => void;
}

/** Deliveries with the last response of their receiver; several can be chosen. */
export function DeliveryTable({ deliveries, webhooks, picked, onPick }: DeliveryTableProps) {
  const workspace = useWorkspace();
  const { items } = deliveries;
  const pick = (id: string, chosen: boolean) => {
    const next = new Set(picked);
    if (chosen) next.add(id);
    else next.delete(id);
    onPick(next);
  };
  const nameOf = ({ event_name: name, event_type: trigger, created_at, ...to }: Delivery) =>
    `${name ?? trigger} to ${webhookName(webhooks?.get(to.webhook_id), to.webhook_url ?? to.webhook_id)}, ${formatTime(created_at)}`;
  return (
    <Table
      caption="Deliveries"
      edge
      items={items}
      rowKey={({ id }) => id}
      href={({ id }) => workspace.href(`deliveries/${id}`)}
      picks={{
        picked,
        nameOf,
        onPick: ({ id }, chosen) => pick(id, chosen),
        onPickAll: (all) => onPick(new Set(all ? items?.map(({ id }) => id) : [])),
      }}
      columns={[
        { label: 'Time', cell: ({ created_at }) => <Time value={created_at} /> },
        {
          label: 'Event',
          cell: ({ event_name: name, event_type: trigger }) => <span class="mono">{name ?? trigger}</span>,
        },
        {
          label: 'Webhook',
          grow: true,
          cell: ({ webhook_id: id }) => <WebhookName id={id} webhooks={webhooks} />,
        },
        { label: 'Status', cell: ({ status }) => <Status status={status} /> },
        {
          label: 'Response',
          cell: ({ last_attempt: last }) =>
            last ? (
              <ResponseCode status={last.response_status} error={last.error_kind} />
            ) : (
              <span class="faint">none yet</span>
            ),
        },
        {
          label: 'Attempts',
          align: 'end',
          hideWhenNarrow: 'first',
          cell: ({ attempt_count: count, trigger }) => (trigger === 'event' ? attemptNumber(count) : count),
        },
        {
          label: 'Duration',
          align: 'end',
          hideWhenNarrow: 'first',
          cell: ({ last_attempt: last }) => last && formatDuration(last.duration_ms),
        },
        {
          label: 'Next',
          align: 'end',
          cell: ({ next_attempt_at: next }) =>
            next !== null && (
              <span class="warn-t">
                <Countdown until={next} />
              </span>
            ),
        },
        {
          label: '',
          align: 'end',
          cell: (delivery) => (
            <RetryButton
              delivery={delivery}
              about={nameOf(delivery)}
              onSent={(sent) =>
                deliveries.update((all) => all.map((each) => (each.id === sent.id ? sent : each)))
              }
            />
          ),
        },
      ]}
      empty={null}
    />
  );
}
