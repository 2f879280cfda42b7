import type {
  ConnectedIntegration,
  Integration,
  IntegrationSummary,
  IntegrationSync,
  IntegrationTestResult,
  OAuthApp,
  Provider,
} from '@hubline/contract/types';
import { view } from '../spec/view.ts';
import type { Style } from '../terminal/io.ts';
import { shellWord } from '../terminal/shell-word.ts';

export const providerView = view<Provider>()({
  noun: ['provider', 'providers'],
  fields: [
    'provider',
    'name',
    'description',
    'required_credentials',
    'optional_credentials',
    'oauth',
    'sync',
    'methods',
    'actions',
  ],
  columns: ['provider', 'name', 'required_credentials', { path: 'description', flexible: true }],
  id: 'provider',
  spread: ['methods', 'actions'],
});

export const oauthAppView = view<OAuthApp>()({
  noun: ['app', 'apps'],
  fields: [
    'provider',
    'configured',
    'client_id',
    'domain',
    'redirect_uri',
    'scopes',
    'apps_url',
    'fields',
    'updated_at',
  ],
  columns: ['provider', 'configured', 'redirect_uri', { path: 'apps_url', flexible: true }],
  id: 'provider',
});

const COLUMNS = [
  'integration_id',
  'provider',
  { path: 'name', optional: true },
  'status',
  // The open task. It stays in a narrow terminal, where the optional columns are left out.
  { path: 'status_detail.code', header: 'DETAIL' },
  { path: 'connected_at', optional: true },
  { path: 'last_synced_at', optional: true },
] as const;

export const integrationListView = view<IntegrationSummary>()({
  noun: ['integration', 'integrations'],
  fields: [
    'integration_id',
    'provider',
    'name',
    'status',
    'status_detail',
    'connected_at',
    'last_synced_at',
    'last_event',
  ],
  columns: COLUMNS,
  id: 'integration_id',
});

const integrationFields = [
  'integration_id',
  'provider',
  'name',
  'workspace_id',
  'status',
  'status_detail',
  'connected_at',
  'last_synced_at',
  'last_event',
  'sync',
  'config',
  'ingest',
] as const;

export const integrationView = view<Integration>()({
  noun: ['integration', 'integrations'],
  fields: integrationFields,
  columns: COLUMNS,
  id: 'integration_id',
  spread: ['status_detail', 'last_event', 'sync', 'config', 'ingest'],
});

export const connectedIntegrationView = view<ConnectedIntegration>()({
  noun: ['integration', 'integrations'],
  fields: integrationFields,
  columns: ['integration_id', 'provider', 'status', 'ingest.url'],
  id: 'integration_id',
  oneTimeSecrets: ['ingest.secret'],
  reveal: ['ingest.url', 'ingest.instructions', 'ingest.warning'],
});

/** The cure for a lost secret of an ingest URL. */
export const connectAgain = (id: string): string =>
  `Disconnect it, and connect again: hubline integration disconnect ${shellWord(id)}`;

/** Says what was done and what is left to do. Only a finished connection gets a check mark. */
export const sayConnected =
  (done: string) =>
  (
    {
      provider,
      integration_id,
      status_detail: detail,
      ingest: { previous_valid_until: until },
    }: ConnectedIntegration,
    style: Style,
  ): string => {
    const overlap =
      until === undefined ? '' : `; until ${until}, calls with the old secret are still accepted`;
    const what = `${done} ${provider} (${integration_id})${overlap}`;
    return detail ? `${style.yellow('!')} ${what}. ${detail.message}` : `${style.green('✓')} ${what}`;
  };

export const integrationSyncView = view<IntegrationSync>()({
  noun: ['sync', 'syncs'],
  fields: ['status', 'since', 'started_at', 'completed_at', 'events', 'called', 'error'],
  columns: ['status', 'since', 'events', 'called', { path: 'error', flexible: true }],
  id: 'started_at',
});

export const integrationTestView = view<IntegrationTestResult>()({
  noun: ['test', 'tests'],
  fields: ['success', 'integration_id', 'event_type', 'delivered_at', 'destination', 'error'],
  columns: ['success', 'integration_id', 'event_type', 'destination', { path: 'error', flexible: true }],
  id: 'integration_id',
});
