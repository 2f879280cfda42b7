import type { Webhook } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { Form, type FormFields } from '../../components/fields/form.tsx';
import { Id } from '../../components/text/id.tsx';
import { KeyValue } from '../../components/page/key-value.tsx';
import { Section } from '../../components/page/section.tsx';
import { differing, refuseOvertaken } from '../../components/schema/spec.ts';
import { Time } from '../../components/text/time.tsx';
import { toast } from '../../components/dialogs/toast.tsx';
import { formatMany } from '../../data/formats/format-number.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { webhookBody } from '../webhooks/webhook-body.ts';
import { WebhookFields } from '../webhooks/webhook-fields.tsx';
import { subscriptionNames } from '../webhooks/webhook-triggers.ts';

interface WebhookSettingsProps {
  readonly webhook: Webhook;
  readonly onChanged: (webhook: Webhook) => void;
}

/** The settings, with a dialog that changes them. */
export function WebhookSettings({ webhook, onChanged }: WebhookSettingsProps) {
  const workspace = useWorkspace();
  // As it was when the dialog opened: the page reads it again meanwhile.
  const editing = useSignal<Webhook>();
  const before = editing.value;
  const close = () => (editing.value = undefined);
  const { event_types, sources, resource_ids, conditions } = webhook.filters ?? {};
  const { rate_limit: limit } = webhook;
  return (
    <Section
      title="Settings"
      actions={
        <Button
          size="small"
          blocked={workspace.refusal('manage_webhooks')}
          onClick={() => (editing.value = webhook)}
        >
          Edit
        </Button>
      }
    >
      <KeyValue
        rows={[
          ['URL', <span class="mono">{webhook.url}</span>],
          ['Triggers', subscriptionNames(webhook.events).join(', ')],
          ['Event types', event_types && <Names of={event_types} />],
          ['Sources', sources && <Names of={sources} />],
          ['Resource IDs', resource_ids && <Names of={resource_ids} />],
          ['Conditions', conditions && <code>{JSON.stringify(conditions)}</code>],
          ['Name', webhook.name ? <Foreign text={webhook.name} /> : <span class="faint">none</span>],
          ['Description', webhook.description && <Foreign text={webhook.description} />],
          [
            'Rate limit',
            limit ? `${formatMany(limit.per_second, ['call', 'calls'])} per second` : 'no limit',
          ],
          ['ID', <Id value={webhook.id} />],
          ['Created', <Time value={webhook.created_at} />],
          ['Changed', <Time value={webhook.updated_at} />],
        ]}
      />
      <Dialog open={before !== undefined} title="Edit the webhook" onClose={close}>
        <Form
          submit="Save"
          onCancel={close}
          action={async (fields, begun) => {
            if (!before) return;
            const bodyOf = (each: FormFields) => webhookBody(each, before.filters);
            const changes = differing(bodyOf(fields), bodyOf(begun));
            refuseOvertaken(changes, before, await client.webhooks.get(webhook.id));
            onChanged(await client.webhooks.update(webhook.id, changes));
            close();
            toast('Saved the webhook.');
          }}
        >
          {before && <WebhookFields webhook={before} />}
        </Form>
      </Dialog>
    </Section>
  );
}

function Names({ of }: { of: readonly string[] }) {
  return (
    <span class="line wrapf">
      {of.map((name) => (
        <code key={name} class="token">
          <Foreign text={name} />
        </code>
      ))}
    </span>
  );
}
