import { LIMITS } from '@hubline/contract/constants';
import type { Attempt, DeliveryDetail, Webhook } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Form } from '../../components/fields/form.tsx';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { Status } from '../../components/text/status.tsx';
import { formatDuration } from '../../data/formats/format-number.ts';
import { useRefreshed } from '../../data/queries/use-refreshed.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { webhookName } from '../webhooks/webhook-name.tsx';
import { isTrigger, triggerNames } from '../webhooks/webhook-triggers.ts';

interface WebhookTestProps {
  readonly webhook: Webhook;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onTested: () => void;
}

/** Sends a test call, and waits for the outcome. */
export function WebhookTest({ webhook, open, onClose, onTested }: WebhookTestProps) {
  const sent = useSignal<string>();
  const close = () => {
    sent.value = undefined;
    onClose();
  };
  return (
    <Dialog open={open} title="Send test event" onClose={close}>
      <Form
        submit={sent.value === undefined ? 'Send test event' : 'Send another'}
        onCancel={close}
        cancel={sent.value && 'Close'}
        action={async (fields) => {
          const name = fields.text('event_type');
          const { id } = await client.webhooks.test(webhook.id, {
            event_type: isTrigger(name) ? name : undefined,
          });
          sent.value = id;
          onTested();
        }}
      >
        <SelectField
          name="event_type"
          label="Trigger to simulate"
          options={triggerNames}
          value={webhook.events.find(isTrigger) ?? 'event.created'}
          hint={`${webhookName(webhook, webhook.id)} gets one signed call with made-up data, whatever it subscribes to. A test is not retried.`}
        />
        {sent.value !== undefined && <Outcome id={sent.value} key={sent.value} onDone={onTested} />}
      </Form>
    </Dialog>
  );
}

const isOver = ({ status }: DeliveryDetail): boolean => status !== 'pending' && status !== 'retrying';

function Outcome({ id, onDone }: { id: string; onDone: () => void }) {
  const workspace = useWorkspace();
  const delivery = useRefreshed((signal) => client.deliveries.get(id, { signal }), ['deliveries', id], {
    everyMs: 500,
    isDone: isOver,
  });
  const over = delivery.data !== undefined && isOver(delivery.data);
  useEffect(() => {
    if (over) onDone();
  }, [over]);
  if (delivery.error !== undefined) return <ErrorPanel of={delivery} />;
  const attempt = delivery.data?.attempts.at(-1);
  return (
    <div class="stack" role="status" aria-busy={!delivery.data || !isOver(delivery.data)}>
      <div class="line wrapf">
        <Status status={delivery.data?.status ?? 'pending'} />
        <span>
          {attempt === undefined
            ? `Waiting for a response, at most ${LIMITS.attemptTimeoutMs / 1_000} seconds…`
            : outcomeOf(attempt)}
        </span>
        <a href={workspace.href(`deliveries/${id}`)}>Open the delivery</a>
      </div>
      {attempt?.response_body && <CodeBlock text={attempt.response_body} label="Response" />}
    </div>
  );
}

/** `HTTP 200 after 12 ms`, or the reason why there was no response. */
function outcomeOf({ response_status: status, duration_ms: ms, error }: Attempt): string {
  if (error) return error.message;
  return `HTTP ${status} after ${formatDuration(ms)}`;
}
