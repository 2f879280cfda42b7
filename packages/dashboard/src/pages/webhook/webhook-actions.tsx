import type { Webhook } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { toast, toastError } from '../../components/dialogs/toast.tsx';
import { useAction } from '../../data/queries/use-action.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useOffer } from '../../shell/palette/palette-offers.ts';
import { retryFailedOf } from '../../shell/palette/palette-things.ts';
import { webhookName } from '../webhooks/webhook-name.tsx';
import { WebhookAlert } from './webhook-alert.tsx';
import { WebhookTest } from './webhook-test.tsx';

interface WebhookActionsProps {
  readonly webhook: Webhook;
  readonly onChanged: (webhook: Webhook) => void;
  /** Called when a test call was made. */
  readonly onTested: () => void;
}

/** The most frequent actions, at the head of the page. */
export function WebhookActions({ webhook, onChanged, onTested }: WebhookActionsProps) {
  const workspace = useWorkspace();
  const testing = useSignal(false);
  const disabling = useSignal(false);
  const enable = useEnable(webhook, onChanged);
  const forbidden = workspace.refusal('manage_webhooks');
  const name = webhookName(webhook, webhook.id);
  const disabled = webhook.status === 'disabled';
  const mayRetry = forbidden === undefined && webhook.last_failed_attempt !== null;
  useOffer(mayRetry ? retryFailedOf(webhook.id, name) : undefined);
  return (
    <>
      <Button
        icon="arrow"
        blocked={forbidden ?? (disabled ? 'Enable the webhook first.' : undefined)}
        onClick={() => (testing.value = true)}
      >
        Send test event
      </Button>
      <WebhookAlert webhook={webhook} />
      {disabled ? (
        <Button kind="primary" blocked={forbidden} pending={enable.pending} onClick={() => void enable.run()}>
          Enable
        </Button>
      ) : (
        <Button icon="pause" blocked={forbidden} onClick={() => (disabling.value = true)}>
          Disable
        </Button>
      )}
      <WebhookTest
        webhook={webhook}
        open={testing.value}
        onClose={() => (testing.value = false)}
        onTested={onTested}
      />
      <ConfirmDialog
        open={disabling.value}
        title="Disable the webhook"
        action="Disable"
        onClose={() => (disabling.value = false)}
        onConfirm={async () => {
          onChanged(await client.webhooks.update(webhook.id, { status: 'disabled' }));
          toast(`Disabled ${name}.`);
        }}
      >
        <p>
          <strong>{name}</strong> is not called until you enable it again. Its deliveries, including those
          that wait for a retry, are held and sent then.
        </p>
      </ConfirmDialog>
    </>
  );
}

/** Enables the webhook, and shows a toast. */
function useEnable({ id }: Webhook, onChanged: (webhook: Webhook) => void) {
  return useAction(async () => {
    try {
      const webhook = await client.webhooks.enable(id);
      onChanged(webhook);
      toast(`Enabled ${webhookName(webhook, webhook.id)}. Held deliveries are being sent.`);
    } catch (error) {
      toastError(error);
    }
  });
}
