import type { Webhook } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { Id } from '../../components/text/id.tsx';
import { Icon } from '../../components/icons/icon.tsx';
import { Time } from '../../components/text/time.tsx';
import { formatMany } from '../../data/formats/format-number.ts';
import { useFilters } from '../../data/address/use-filters.ts';
import { Page } from '../../components/page/page.tsx';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { QueryState } from '../../components/page/loading.tsx';
import { useQuery } from '../../data/queries/use-query.ts';
import { mustBeIn, useWorkspace } from '../../session/workspace.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookManage } from './webhook-manage.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { WebhookHealth } from './webhook-health.tsx';
import { WebhookSettings } from './webhook-settings.tsx';
import { WebhookSignature } from './webhook-signature.tsx';
import { WebhookTrouble } from './webhook-trouble.tsx';
import { webhookName } from '../webhooks/webhook-name.tsx';
import { WebhookState } from '../webhooks/webhook-state.tsx';
import { countTriggers, subscriptionNames } from '../webhooks/webhook-triggers.ts';

export function WebhookPage() {
  const workspace = useWorkspace();
  const id = useRoute().params['id'] ?? '';
  const query = useQuery(
    async (signal) => mustBeIn(workspace.id, await client.webhooks.get(id, { signal })),
    ['webhooks', 'one', workspace.id, id],
  );
  const webhook = query.data;
  // Counts actions on this page, so that the list of deliveries is refreshed.
  const round = useSignal(0);
  const tabs = useFilters(['tab']);
  const refreshDeliveries = () => round.value++;
  if (webhook === undefined) {
    return (
      <Page title="Webhook">
        <QueryState of={query} />
      </Page>
    );
  }
  const name = webhookName(webhook, webhook.id);
  const tab = tabs.values.tab ?? 'health';
  return (
    <Page
      title={name}
      heading={
        <span class="line">
          <span class="clip">{name}</span>
          <WebhookState webhook={webhook} pill />
        </span>
      }
      parent={{ label: 'Webhooks', href: workspace.href('webhooks') }}
      meta={
        <>
          <Id value={webhook.url} />
          <span>
            <Icon name="filter" size="s" />
            {triggersOf(webhook)}
          </span>
          <span>
            <span>
              Created <Time value={webhook.created_at} />
            </span>
          </span>
        </>
      }
      actions={<WebhookActions webhook={webhook} onChanged={query.set} onTested={refreshDeliveries} />}
      bar={
        <nav class="tabs" aria-label="Webhook">
          {Object.entries(TABS).map(([each, label]) => (
            <a
              key={each}
              href={each === 'health' ? location.pathname : `${location.pathname}?tab=${each}`}
              aria-current={each === tab ? 'true' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
      }
    >
      {tab !== 'health' && <ErrorPanel of={query} />}
      <WebhookTrouble webhook={webhook} />
      {tab === 'health' && (
        <>
          <WebhookHealth webhook={webhook} />
          <WebhookDeliveries webhook={webhook} round={round.value} />
        </>
      )}
      {tab === 'settings' && (
        <>
          <WebhookSettings webhook={webhook} onChanged={query.set} />
          <WebhookManage webhook={webhook} onRecovered={refreshDeliveries} />
        </>
      )}
      {tab === 'code' && <WebhookSignature webhook={webhook} />}
    </Page>
  );
}

const TABS = { health: 'Health', settings: 'Settings', code: 'Check the signature' } as const;

/** `event.created`, or "2 triggers, 3 filters". */
function triggersOf({ events, filters }: Webhook): string {
  const [first = '', ...more] = subscriptionNames(events);
  const triggers = more.length === 0 ? first : `${countTriggers(events)} triggers`;
  const narrowed = Object.values(filters ?? {}).flat().length;
  return narrowed > 0 ? `${triggers}, ${formatMany(narrowed, ['filter', 'filters'])}` : triggers;
}
