import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Id } from '../../components/text/id.tsx';
import { Page } from '../../components/page/page.tsx';
import { useQuery } from '../../data/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookManage } from './webhook-manage.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { WebhookHealth } from './webhook-health.tsx';
import { WebhookSettings } from './webhook-settings.tsx';
import { WebhookSignature } from './webhook-signature.tsx';
import { WebhookTrouble } from './webhook-trouble.tsx';
import { hostOf, WebhookState } from '../webhooks/webhook-state.tsx';

export function WebhookPage() {
  const workspace = useWorkspace();
  const id = useRoute().params['id'] ?? '';
  const query = useQuery(
    async (signal) => {
      const webhook = await client.webhooks.get(id, { signal });
      if (webhook.workspace_id !== workspace.id)
        throw new Error('This webhook belongs to another workspace.');
      return webhook;
    },
    [id],
  );
  const webhook = query.data;
  // Counts actions on this page, so that the list of deliveries is refreshed.
  const round = useSignal(0);
  const lookAgain = () => round.value++;
  if (webhook === undefined) {
    return (
      <Page title="Webhook">
        {query.error !== undefined && <ErrorPanel error={query.error} retry={query.reload} />}
      </Page>
    );
  }
  return (
    <Page
      title={hostOf(webhook.url)}
      parent={{ label: 'Webhooks', href: workspace.href('webhooks') }}
      meta={
        <>
          <WebhookState webhook={webhook} />
          <Id value={webhook.url} />
        </>
      }
      actions={<WebhookActions webhook={webhook} onChanged={query.set} onTested={lookAgain} />}
    >
      <WebhookTrouble webhook={webhook} />
      <WebhookHealth webhook={webhook} />
      <WebhookDeliveries webhook={webhook} round={round.value} />
      <WebhookSettings webhook={webhook} onChanged={query.set} />
      <WebhookSignature webhook={webhook} />
      <WebhookManage webhook={webhook} onRecovered={lookAgain} />
    </Page>
  );
}
