import type {
  ConnectedIntegration,
  Integration,
  IntegrationSummary,
  IntegrationTestResult,
  Provider,
} from '@hubline/contract/types';
import { view } from '../spec/view.ts';

export const providerView = view<Provider>()({
  noun: ['provider', 'providers'],
  fields: ['provider', 'name', 'description', 'required_credentials', 'optional_credentials'],
  columns: ['provider', 'name', 'required_credentials', { path: 'description', flexible: true }],
  id: 'provider',
});

export const integrationListView = view<IntegrationSummary>()({
  noun: ['integration', 'integrations'],
  fields: ['integration_id', 'provider', 'status', 'connected_at', 'last_synced_at'],
  columns: ['integration_id', 'provider', 'status', 'connected_at', 'last_synced_at'],
  id: 'integration_id',
});

export const integrationView = view<Integration>()({
  noun: ['integration', 'integrations'],
  fields: [
    'integration_id',
    'provider',
    'workspace_id',
    'status',
    'connected_at',
    'last_synced_at',
    'config',
    'ingest',
  ],
  columns: ['integration_id', 'provider', 'status', 'connected_at', 'last_synced_at'],
  id: 'integration_id',
});

export const connectedIntegrationView = view<ConnectedIntegration>()({
  noun: ['integration', 'integrations'],
  fields: [
    'integration_id',
    'provider',
    'workspace_id',
    'status',
    'connected_at',
    'last_synced_at',
    'config',
    'ingest',
  ],
  columns: ['integration_id', 'provider', 'status', 'ingest.url'],
  id: 'integration_id',
  reveal: ['ingest.url', 'ingest.secret', 'ingest.instructions'],
});

export const integrationTestView = view<IntegrationTestResult>()({
  noun: ['test', 'tests'],
  fields: ['success', 'integration_id', 'event_type', 'delivered_at', 'destination', 'error'],
  columns: ['success', 'integration_id', 'event_type', 'destination', { path: 'error', flexible: true }],
  id: 'integration_id',
});
