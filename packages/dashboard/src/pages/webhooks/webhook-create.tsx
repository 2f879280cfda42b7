import type { Webhook } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { client } from '../../api/client.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Form } from '../../components/fields/form.tsx';
import { SecretOnce } from '../../components/dialogs/secret-once.tsx';
import { useWorkspace } from '../../session/workspace.ts';
import { webhookBody } from './webhook-body.ts';
import { WebhookFields } from './webhook-fields.tsx';
import { generateSecret, ownSecret, SecretFields } from '../webhook/webhook-secret.tsx';
import { webhookName } from './webhook-name.tsx';

interface WebhookCreateProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Called when the webhook was created and its secret shown. */
  readonly onCreated: (webhook: Webhook) => void;
}

/** Asks about a new webhook, and shows its secret. */
export function WebhookCreate({ open, onClose, onCreated }: WebhookCreateProps) {
  const workspace = useWorkspace();
  const made = useSignal<{ webhook: Webhook; secret: string }>();
  return (
    <>
      <Dialog open={open && made.value === undefined} title="New webhook" onClose={onClose}>
        <Form
          submit="Create"
          onCancel={onClose}
          action={async (fields) => {
            const own = ownSecret(fields);
            const secret = own ?? generateSecret();
            const body = { ...webhookBody(fields), workspace_id: workspace.id, secret };
            const webhook = await client.webhooks.create(body);
            if (own === undefined) made.value = { webhook, secret };
            else onCreated(webhook);
          }}
        >
          <WebhookFields />
          <SecretFields />
        </Form>
      </Dialog>
      <SecretOnce
        title="Signing secret"
        secret={made.value?.secret}
        noun="secret"
        onClose={() => {
          const webhook = made.value?.webhook;
          made.value = undefined;
          if (webhook) onCreated(webhook);
        }}
      >
        <p>
          <strong>{webhookName(made.value?.webhook, '')}</strong> is ready. Give this secret to the receiver
          as <code>HUBLINE_WEBHOOK_SECRET</code>, to check every call.
        </p>
      </SecretOnce>
    </>
  );
}
