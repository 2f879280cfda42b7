import type { Integration } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { ProviderIcon } from '../../components/icons/provider-icon.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { Id } from '../../components/text/id.tsx';
import { KeyValue } from '../../components/page/key-value.tsx';
import { Page } from '../../components/page/page.tsx';
import { QueryState } from '../../components/page/loading.tsx';
import { Time } from '../../components/text/time.tsx';
import { useRefreshed } from '../../data/queries/use-refreshed.ts';
import { mustBeIn, useWorkspace } from '../../session/workspace.ts';
import { IngestSetup, Warning } from './connect/ingest-setup.tsx';
import { IntegrationConfigForm } from './integration-config.tsx';
import { IntegrationEvents } from './integration-events.tsx';
import { IntegrationSync } from './integration-sync.tsx';
import { IntegrationStatus } from './integration-status.tsx';
import { IntegrationTasks } from './integration-tasks.tsx';
import { IntegrationTest } from './integration-test.tsx';
import { integrationName } from './use-integrations.ts';
import { useAllProviders } from './definitions/use-definitions.ts';

/** The interval while somebody sets up a webhook and waits for its first call. */
const REFRESH_MS = 5_000;

export function IntegrationPage() {
  const workspace = useWorkspace();
  const id = useRoute().params['id'] ?? '';
  const integration = useRefreshed(
    async (signal) => mustBeIn(workspace.id, await client.integrations.get(id, { signal })),
    ['integrations', 'one', workspace.id, id],
    {
      everyMs: REFRESH_MS,
      isDone: ({ status_detail: detail, sync }) =>
        detail?.code !== 'awaiting_hook' && sync?.status !== 'running',
    },
  );
  const providers = useAllProviders();
  const task = useSignal<'reconnect' | 'disconnect'>();
  const { data } = integration;
  const provider = providers?.find((each) => each.provider === data?.provider);
  const name = data ? integrationName(data, provider?.name ?? data.provider) : 'Integration';
  const blocked = workspace.refusal('manage_integrations');

  return (
    <Page
      title={name}
      parent={{ label: 'Integrations', href: workspace.href('integrations') }}
      mark={data && <ProviderIcon provider={data.provider} size="m" />}
      actions={
        data && (
          <>
            <Button icon="retry" blocked={blocked} onClick={() => (task.value = 'reconnect')}>
              Reconnect
            </Button>
            <Button kind="danger" blocked={blocked} onClick={() => (task.value = 'disconnect')}>
              Disconnect
            </Button>
          </>
        )
      }
    >
      <QueryState of={integration} />
      {data && (
        <>
          <Explanation integration={data} />
          <section class="card pad">
            <KeyValue
              rows={[
                ['Status', <IntegrationStatus key="status" integration={data} />],
                ['ID', <Id key="id" value={data.integration_id} />],
                ['Connected', <Time key="connected" value={data.connected_at} />],
                ['Last sync', <Time key="synced" value={data.last_synced_at} />],
                ['Last event', <LastEvent key="event" integration={data} />],
                [
                  'Sync',
                  provider?.sync && (
                    <IntegrationSync
                      key="sync"
                      integration={data}
                      blocked={blocked}
                      onBegun={integration.reload}
                    />
                  ),
                ],
                ['Ingest URL', <Id key="url" value={data.ingest.url} />],
              ]}
            />
          </section>
          <IntegrationEvents integration={data} />
          <div class="side-by-side">
            <IntegrationConfigForm
              integration={data}
              locked={workspace.viewOnly('manage_integrations')}
              onSaved={integration.set}
            />
            {!blocked && <IntegrationTest integration={data} name={name} onTested={integration.reload} />}
          </div>
          <section class="card pad">
            <h2>Setup</h2>
            {data.ingest.warning !== null && <Warning text={data.ingest.warning} />}
            {data.ingest.registered && (
              <p class="faint">Not needed: the webhook is registered at {name} for you.</p>
            )}
            {(!data.ingest.registered || data.provider === 'custom') && (
              <IngestSetup provider={data.provider} name={name} ingest={data.ingest} />
            )}
          </section>
          <IntegrationTasks
            integration={data}
            name={name}
            provider={provider}
            task={task.value}
            onClose={() => (task.value = undefined)}
            onReconnected={integration.reload}
          />
        </>
      )}
    </Page>
  );
}

/** The type and time of the last event, with a link to it. */
function LastEvent({ integration: { last_event: last } }: { integration: Integration }) {
  const workspace = useWorkspace();
  if (!last) return <>None yet</>;
  return (
    <>
      <a href={workspace.href(`events/${last.event_id}`)}>{last.type}</a> <Time value={last.created_at} />
    </>
  );
}

/** The reason why the integration does not work, or not yet, and the cure. */
function Explanation({ integration: { status, status_detail: detail } }: { integration: Integration }) {
  if (!detail) return null;
  return (
    <Notice tone={status === 'error' ? 'bad' : 'warn'}>
      <p>
        {detail.message} <span class="dim">Since</span> <Time value={detail.since} />.
      </p>
    </Notice>
  );
}
