import type { Webhook } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { ActionRow } from '../../components/fields/action-row.tsx';
import { Button } from '../../components/controls/button.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Section } from '../../components/page/section.tsx';
import { toast } from '../../components/dialogs/toast.tsx';
import { useWorkspace } from '../../session/workspace.ts';
import { WebhookRecover } from './webhook-recover.tsx';
import { WebhookRotate } from './webhook-rotate.tsx';
import { webhookName } from '../webhooks/webhook-name.tsx';

interface WebhookManageProps {
  readonly webhook: Webhook;
  /** Called when the recovery has started. */
  readonly onRecovered: () => void;
}

/** The rare and risky actions. */
export function WebhookManage({ webhook, onRecovered }: WebhookManageProps) {
  const workspace = useWorkspace();
  const { route } = useLocation();
  const task = useSignal<'rotate' | 'recover' | 'delete'>();
  const close = () => (task.value = undefined);
  const forbidden = workspace.refusal('manage_webhooks');
  const name = webhookName(webhook, webhook.id);
  return (
    <Section title="Manage">
      <div class="card">
        <ActionRow
          title="Retry failed deliveries"
          action={
            <Button
              blocked={forbidden ?? (webhook.status === 'disabled' ? 'Enable the webhook first.' : undefined)}
              onClick={() => (task.value = 'recover')}
            >
              Retry
            </Button>
          }
        >
          After an outage of the receiver: those that failed since a given time.
        </ActionRow>
        <ActionRow
          title="Rotate the signing secret"
          action={
            <Button blocked={forbidden} onClick={() => (task.value = 'rotate')}>
              Rotate
            </Button>
          }
        >
          Replace the secret at once, or keep the old one valid for a while.
        </ActionRow>
        <ActionRow
          title="Delete the webhook"
          action={
            <Button kind="danger" blocked={forbidden} onClick={() => (task.value = 'delete')}>
              Delete
            </Button>
          }
        >
          Pending deliveries are cancelled. To pause the calls, disable it instead.
        </ActionRow>
      </div>
      <WebhookRecover
        webhook={webhook}
        open={task.value === 'recover'}
        onClose={close}
        onRecovered={onRecovered}
      />
      <WebhookRotate webhook={webhook} open={task.value === 'rotate'} onClose={close} />
      <ConfirmDialog
        open={task.value === 'delete'}
        title="Delete the webhook"
        action="Delete"
        typeName={name}
        onClose={close}
        onConfirm={async () => {
          await client.webhooks.delete(webhook.id);
          toast(`Deleted ${name}.`);
          route(workspace.href('webhooks'));
        }}
      >
        <p>
          <strong>{name}</strong> is no longer called, and its open deliveries are cancelled. This cannot be
          undone. Past deliveries stay in the history.
        </p>
      </ConfirmDialog>
    </Section>
  );
}
