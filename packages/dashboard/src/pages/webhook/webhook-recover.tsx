import type { Webhook } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { client } from '../../api/client.ts';
import { CheckboxField } from '../../components/fields/checkbox-field.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Form } from '../../components/fields/form.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { timeBounds } from '../../data/address/time-range.ts';
import { RecoveryProgress } from '../deliveries/retry/recovery-progress.tsx';
import { webhookName } from '../webhooks/webhook-name.tsx';

interface WebhookRecoverProps {
  readonly webhook: Webhook;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onRecovered: () => void;
}

/** Retries the deliveries that failed since a time, and shows the progress. */
export function WebhookRecover({ webhook, open, onClose, onRecovered }: WebhookRecoverProps) {
  const range = useSignal('1h');
  const started = useSignal<string>();
  const close = () => {
    started.value = undefined;
    range.value = '1h';
    onClose();
  };
  return (
    <Dialog open={open} title="Retry failed deliveries" onClose={close}>
      {started.value === undefined ? (
        <Form
          submit="Retry"
          onCancel={close}
          action={async (fields) => {
            const chosen = fields.text('range');
            const since =
              timeBounds({ range: chosen, from: inUtc(fields.text('since')) }, Date.now()).since ?? '';
            const { id } = await client.webhooks.recover(webhook.id, {
              since,
              statuses: fields.checked('retrying') ? ['failed', 'retrying'] : ['failed'],
            });
            started.value = id;
          }}
        >
          <SelectField
            name="range"
            label="Deliveries of"
            value="1h"
            options={{
              '1h': 'the last hour',
              '24h': 'the last 24 hours',
              '7d': 'the last 7 days',
              since: 'another period',
            }}
            onChange={(next) => (range.value = next)}
          />
          {range.value === 'since' && (
            <TextField name="since" label="Since" type="datetime-local" hint="In your time zone." />
          )}
          <CheckboxField
            name="retrying"
            label="Include deliveries that wait for a retry"
            hint="They are sent now instead of at the scheduled time."
          />
          <p class="faint">
            Each delivery is sent once more to <strong>{webhookName(webhook, webhook.id)}</strong>, with the
            same body and ID.
          </p>
        </Form>
      ) : (
        <RecoveryProgress id={started.value} onDone={onRecovered} onClose={close} />
      )}
    </Dialog>
  );
}

/** The time of a `datetime-local`, which has no zone. The server refuses a text that the browser does not understand. */
function inUtc(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? local : time.toISOString();
}
