import type { Webhook, WebhookRotatedSecret } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { client } from '../../api/client.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Form } from '../../components/fields/form.tsx';
import { SecretOnce } from '../../components/dialogs/secret-once.tsx';
import { OverlapField } from '../../components/fields/overlap-field.tsx';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import { toast } from '../../components/dialogs/toast.tsx';
import { ownSecret, SecretFields } from './webhook-secret.tsx';

interface WebhookRotateProps {
  readonly webhook: Webhook;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Replaces the signing secret, and shows the new one. */
export function WebhookRotate({ webhook, open, onClose }: WebhookRotateProps) {
  const made = useSignal<WebhookRotatedSecret>();
  return (
    <>
      <Dialog open={open} title="Rotate the signing secret" onClose={onClose}>
        <Form
          submit="Rotate"
          onCancel={onClose}
          action={async (fields) => {
            const rotated = await client.webhooks.rotateSecret(webhook.id, {
              secret: ownSecret(fields),
              overlap_seconds: Number(fields.text('overlap_seconds')),
            });
            if (rotated.secret === undefined) toast('The signing secret was rotated.');
            else made.value = rotated;
            onClose();
          }}
        >
          <OverlapField
            seconds={3_600}
            hint={
              <>
                Until then <code>webhook-signature</code> carries one signature for each secret.{' '}
                <code>X-Service-Signature</code> uses the new secret at once: give the receiver both secrets
                first, the new one as your own below.
              </>
            }
          />
          <SecretFields />
        </Form>
      </Dialog>
      <SecretOnce
        title="New signing secret"
        secret={made.value?.secret}
        noun="secret"
        onClose={() => (made.value = undefined)}
      >
        <p>
          Calls are signed with it from now on: give it to the receiver now.{' '}
          {made.value?.previous_valid_until ? (
            <>
              Only <code>webhook-signature</code> is made with the old one as well, which expires{' '}
              <TimeAgo value={made.value.previous_valid_until} />.
            </>
          ) : (
            'The old one has stopped working.'
          )}
        </p>
      </SecretOnce>
    </>
  );
}
