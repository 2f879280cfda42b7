import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { toast } from '../../components/dialogs/toast.tsx';
import { Form, InvalidField } from '../../components/fields/form.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { TextAreaField } from '../../components/fields/text-area-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { parseExact } from '../../data/formats/exact-json.ts';
import { prettyJson, readJson } from '../../data/formats/json-node.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { webhookOptions } from '../webhooks/webhook-name.tsx';
import type { ReadEvent } from './read-event.ts';

interface PublishDialogProps {
  readonly open: boolean;
  /** The event to begin with; its payload can be changed. */
  readonly from?: ReadEvent | undefined;
  readonly onClose: () => void;
}

const EXAMPLE = `{
  "service": "web",
  "version": "1.4.2"
}`;

/** Publishes a new event, or an earlier one again, changed or not; or sends it to one webhook as a test. */
export function PublishDialog({ open, from, onClose: closed }: PublishDialogProps) {
  const testing = useSignal(false);
  function onClose(): void {
    testing.value = false;
    closed();
  }
  const workspace = useWorkspace();
  const { route } = useLocation();
  const webhooks = useWebhooks(workspace.id);
  const targets = webhookOptions(
    [...((workspace.can('manage_webhooks') ? webhooks?.values() : undefined) ?? [])].filter(
      ({ status }) => status === 'active',
    ),
  );
  const node = from && readJson(from.payload);
  return (
    <Dialog
      open={open}
      title={testing.value ? 'Send test event' : from ? 'Publish again' : 'Publish an event'}
      description={testing.value ? 'No event is stored.' : from && 'Creates a new event with a new ID.'}
      size="wide"
      onClose={onClose}
    >
      <Form
        submit={testing.value ? 'Send test event' : from ? 'Publish again' : 'Publish'}
        onCancel={onClose}
        action={async (fields) => {
          const payload = fields.raw('payload');
          // Checked here, because a text that is not JSON cannot be sent to the server.
          if (!readJson(payload)?.text.trimStart().startsWith('{'))
            throw new InvalidField('payload', 'must be a JSON object: check its quotes and commas');
          const event = {
            type: fields.text('type'),
            source: fields.text('source'),
            payload: parseExact(payload),
          };
          const webhookId = fields.text('to');
          if (webhookId) {
            const integration_id = from?.event.integration_id ?? undefined;
            const { id } = await client.webhooks.test(webhookId, { event: { ...event, integration_id } });
            onClose();
            route(workspace.href(`deliveries/${id}`));
            return;
          }
          const { event_id } = await client.events.publish(workspace.id, event);
          onClose();
          toast('The event was published.');
          route(workspace.href(`events?event=${event_id}`));
        }}
      >
        <SelectField
          name="to"
          label="Send to"
          value=""
          onChange={(to) => (testing.value = to !== '')}
          options={{ '': 'Every webhook that subscribes to it', ...targets }}
          hint="Sending to one webhook is a test: the event is not stored, and filters do not apply."
        />
        <div class="form2">
          <TextField name="type" label="Event type" mono value={from?.event.type ?? 'deploy'} />
          <TextField name="source" label="Source" mono value={from?.event.source ?? 'api'} />
        </div>
        <TextAreaField
          name="payload"
          label="Payload"
          mono
          rows={14}
          value={node ? prettyJson(node) : EXAMPLE}
        />
      </Form>
    </Dialog>
  );
}
