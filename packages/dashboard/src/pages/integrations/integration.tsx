import '../../styles/management.css';
import type { Integration } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { whoMay } from '../../api/permissions.ts';
import { Button } from '../../components/button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Id } from '../../components/id.tsx';
import { KeyValue } from '../../components/key-value.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useQuery } from '../../data/use-query.ts';
import { useWorkspace } from '../../shell/workspace.ts';
import { IngestSetup } from './ingest-setup.tsx';
import { IntegrationConfigForm } from './integration-config.tsx';
import { IntegrationEvents } from './integration-events.tsx';
import { IntegrationTasks } from './integration-tasks.tsx';
import { IntegrationTest } from './integration-test.tsx';
import { useProviders } from './providers.ts';

export function IntegrationPage() {
  const workspace = useWorkspace();
  const id = useRoute().params['id'] ?? '';
  const integration = useQuery((signal) => client.integrations.get(id, { signal }), [id]);
  const providers = useProviders();
  const task = useSignal<'reconnect' | 'disconnect' | undefined>(undefined);
  const { data } = integration;
  const provider = providers.data?.find((each) => each.provider === data?.provider);
  const name = provider?.name ?? data?.provider ?? 'Integration';
  const blocked = workspace.can('manage_integrations') ? undefined : whoMay('manage_integrations');

  return (
    <Page
      title={name}
      description={<a href={workspace.href('integrations')}>All integrations</a>}
      actions={
        data && (
          <>
            <Button icon="refresh" blocked={blocked} onClick={() => (task.value = 'reconnect')}>
              Reconnect
            </Button>
            <Button kind="danger" blocked={blocked} onClick={() => (task.value = 'disconnect')}>
              Disconnect
            </Button>
          </>
        )
      }
    >
      {integration.error !== undefined && <ErrorPanel error={integration.error} retry={integration.reload} />}
      {!data && integration.error === undefined && <Loading />}
      {data && (
        <>
          <Explanation integration={data} name={name} />
          <section class="card">
            <KeyValue
              rows={[
                ['Status', <StatusBadge key="status" status={data.status} />],
                ['Id', <Id key="id" value={data.integration_id} />],
                ['Connected', <TimeAgo key="connected" value={data.connected_at} />],
                ['Last synced', <TimeAgo key="synced" value={data.last_synced_at} />],
                ['Ingest URL', <Id key="url" value={data.ingest.url} />],
              ]}
            />
          </section>
          <IntegrationEvents integration={data} />
          <div class="side-by-side">
            <IntegrationConfigForm integration={data} blocked={blocked} onSaved={integration.set} />
            <IntegrationTest integration={data} name={name} blocked={blocked} />
          </div>
          <section class="card">
            <h2>Set-up</h2>
            {data.provider !== 'custom' && (
              <p class="muted">Not needed where the webhook was registered for you when you connected.</p>
            )}
            <IngestSetup provider={data.provider} name={name} url={data.ingest.url} />
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

/** What a status that is not `connected` means, and the cure. */
function Explanation({ integration: { status }, name }: { integration: Integration; name: string }) {
  if (status === 'connected') return null;
  return (
    <div class="panel" data-tone={status === 'error' ? 'bad' : 'warn'}>
      {status === 'error' ? (
        <p>{name} refuses the stored credentials, or does not answer. Reconnect it with new ones.</p>
      ) : (
        <p>It waits: reconnect it with credentials, or let {name} make its first call to the ingest URL.</p>
      )}
    </div>
  );
}
