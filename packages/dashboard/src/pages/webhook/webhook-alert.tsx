import { LIMITS } from '@hubline/contract/constants';
import type { NotificationRule, Webhook } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { toast } from '../../components/dialogs/toast.tsx';
import { CheckboxGroup } from '../../components/fields/checkbox-group.tsx';
import { Form } from '../../components/fields/form.tsx';
import { useQuery } from '../../data/queries/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { webhookName } from '../webhooks/webhook-name.tsx';

const PLACES = [
  { value: 'in_app', label: 'Notification in the dashboard' },
  { value: 'email', label: 'Email' },
] as const;

/** Creates a notification rule in two clicks, which tells the person when this webhook fails or is disabled. */
export function WebhookAlert({ webhook }: { webhook: Webhook }) {
  const workspace = useWorkspace();
  const rules = useQuery(
    (signal) => client.notificationRules.list(workspace.id, { limit: LIMITS.pageMax }, { signal }).toArray(),
    ['notification-rules', workspace.id, 'all'],
  );
  const open = useSignal(false);
  const close = () => (open.value = false);
  const name = webhookName(webhook, webhook.id);
  const mine = rules.data?.find((rule) => isAlertOf(rule, webhook, workspace.user.id));
  if (rules.data === undefined) return null;
  return (
    <>
      <Button icon="bell" blocked={workspace.refusal('edit_automations')} onClick={() => (open.value = true)}>
        {mine ? 'Alert is on' : 'Alert me'}
      </Button>
      <Dialog open={open.value && !mine} title="Alert me when it fails" onClose={close}>
        <Form
          submit="Create alert"
          onCancel={close}
          action={async (fields) => {
            const people = { user_ids: [workspace.user.id] };
            await client.notificationRules.create(workspace.id, {
              name: `${name} fails`.slice(0, LIMITS.nameMax),
              notify_on: ['webhook.failing', 'webhook.disabled'],
              conditions: ofWebhook(webhook),
              destinations: PLACES.filter(({ value }) => fields.all('places').includes(value)).map(
                ({ value }) => ({ kind: value, ...people }),
              ),
            });
            close();
            toast(`You will be notified when ${name} fails or is disabled.`);
          }}
        >
          <p>
            <strong>{name}</strong> fails when every attempt has failed for{' '}
            {LIMITS.failingNotifiedMs / 60_000} minutes. You will be notified then, and when it is disabled.
          </p>
          <CheckboxGroup name="places" label="Notify me by" value={['in_app', 'email']} options={PLACES} />
        </Form>
      </Dialog>
      <ConfirmDialog
        open={open.value && mine !== undefined}
        title="Remove the alert"
        action="Remove"
        onClose={close}
        onConfirm={async () => {
          await client.notificationRules.delete(workspace.id, mine?.id ?? '');
          toast(`You will no longer be notified when ${name} fails.`);
        }}
      >
        <p>
          The notification rule <strong>{mine?.name}</strong> notifies you when this webhook fails. It is
          deleted.
        </p>
      </ConfirmDialog>
    </>
  );
}

const ofWebhook = ({ id }: Webhook) => ({ field: 'data.webhook_id', op: 'eq' as const, value: id });

/** Reports whether a rule is one that this dialog makes: about this webhook alone, for this person. */
function isAlertOf(rule: NotificationRule, webhook: Webhook, userId: string): boolean {
  return (
    rule.enabled &&
    rule.notify_on.includes('webhook.failing') &&
    JSON.stringify(rule.conditions) === JSON.stringify(ofWebhook(webhook)) &&
    rule.destinations.some(
      (place) => place.kind !== 'integration' && 'user_ids' in place && place.user_ids?.includes(userId),
    )
  );
}
