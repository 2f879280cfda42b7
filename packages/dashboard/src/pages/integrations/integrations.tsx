import type { IntegrationSummary, Provider } from '@hubline/sdk';
import { useEffect, useRef } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { ProviderIcon } from '../../components/icons/provider-icon.tsx';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { Page } from '../../components/page/page.tsx';
import { Section } from '../../components/page/section.tsx';
import { Table } from '../../components/page/table.tsx';
import { Time } from '../../components/text/time.tsx';
import { shortId } from '../../data/formats/name-choice.ts';
import { useFilters } from '../../data/address/use-filters.ts';
import { countNote, usePages } from '../../data/queries/use-pages.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { ConnectDialog } from './connect/connect-dialog.tsx';
import { DefinitionsSection } from './definitions/definitions-section.tsx';
import { useDefinitions } from './definitions/use-definitions.ts';
import { IntegrationStatus } from './integration-status.tsx';
import { integrationName } from './use-integrations.ts';
import { REPEATABLE, useProviders } from './connect/providers.ts';

export function IntegrationsPage() {
  const workspace = useWorkspace();
  const integrations = usePages(
    (signal) => client.integrations.list(workspace.id, { limit: 50 }, { signal }),
    ['integrations', workspace.id],
  );
  const providers = useProviders();
  const definitions = useDefinitions();
  const all = [...(providers.data ?? []), ...(definitions.data ?? [])];
  const { values, set } = useFilters(['connect']);
  const nameOf = (key: string) => all.find(({ provider }) => provider === key)?.name ?? key;
  const connecting = workspace.can('manage_integrations')
    ? all.find(({ provider }) => provider === values.connect)
    : undefined;

  const catalog = useRef<HTMLUListElement>(null);
  const toChoose = values.connect === 'tool' && providers.data !== undefined;
  useEffect(() => {
    if (!toChoose) return;
    set({ connect: undefined });
    catalog.current?.querySelector<HTMLElement>('a, button')?.focus();
  }, [toChoose]);

  return (
    <Page title="Integrations" note={countNote(integrations)}>
      <Table
        caption="Connected integrations"
        items={integrations.items}
        rowKey={({ integration_id }) => integration_id}
        href={({ integration_id }) => workspace.href(`integrations/${integration_id}`)}
        columns={[
          {
            label: 'Name',
            cell: (integration) => (
              <span class="state">
                <ProviderIcon provider={integration.provider} size="bare" />
                <span class="strong">{integrationName(integration, nameOf(integration.provider))}</span>
                {integration.provider === REPEATABLE && (
                  <code class="faint">{shortId(integration.integration_id)}</code>
                )}
                {integration.name !== null && <span class="faint tool">{nameOf(integration.provider)}</span>}
              </span>
            ),
          },
          { label: 'Status', cell: (integration) => <IntegrationStatus integration={integration} /> },
          {
            label: 'Last event',
            grow: true,
            cell: ({ last_event: last }) =>
              last ? (
                <span class="line">
                  <code>{last.type}</code>
                  <span class="faint">
                    <Time value={last.created_at} />
                  </span>
                </span>
              ) : (
                <span class="faint">none yet</span>
              ),
          },
          { label: 'Connected', cell: ({ connected_at }) => <Time value={connected_at} day /> },
        ]}
        empty={<p class="faint">Nothing is connected yet. Choose a tool below.</p>}
      />
      <LoadMore pages={integrations} />

      <Section title="Connect a tool">
        <ErrorPanel of={providers} />
        <ul class="catalog" ref={catalog} aria-busy={providers.loading && !providers.data}>
          {providers.data?.map((provider) => (
            <ProviderCard
              key={provider.provider}
              provider={provider}
              connected={connectedOf(integrations.items, provider)}
              onConnect={() => set({ connect: provider.provider })}
            />
          ))}
        </ul>
      </Section>
      <DefinitionsSection definitions={definitions} onConnect={(provider) => set({ connect: provider })} />
      <ConnectDialog provider={connecting} onClose={() => set({ connect: undefined })} />
    </Page>
  );
}

/** The first integration with a tool. */
const connectedOf = (items: readonly IntegrationSummary[] | undefined, { provider }: Provider) =>
  items?.find((each) => each.provider === provider);

interface ProviderCardProps {
  readonly provider: Provider;
  readonly connected: IntegrationSummary | undefined;
  readonly onConnect: () => void;
}

function ProviderCard({ provider, connected, onConnect }: ProviderCardProps) {
  const { refusal, href } = useWorkspace();
  return (
    <li class="card cat">
      <ProviderIcon provider={provider.provider} size="l" />
      <h3>{provider.name}</h3>
      <p>{provider.description}</p>
      <div class="foot">
        {connected ? <IntegrationStatus integration={connected} /> : 'Not connected'}
        {connected && provider.provider !== REPEATABLE ? (
          <a class="btn s" href={href(`integrations/${connected.integration_id}`)}>
            Open
            <span class="sr"> {provider.name}</span>
          </a>
        ) : (
          <Button
            size="small"
            about={provider.name}
            blocked={refusal('manage_integrations')}
            onClick={onConnect}
          >
            Connect
          </Button>
        )}
      </div>
    </li>
  );
}
