import type { ProviderDefinition, ProviderPreset, ProviderPreview } from '@hubline/contract/types';
import { view } from '../spec/view.ts';

export const definitionView = view<ProviderDefinition>()({
  noun: ['provider', 'providers'],
  fields: [
    'provider_id',
    'workspace_id',
    'provider',
    'name',
    'description',
    'verification',
    'issues_secret',
    'event_type',
    'dedupe_key',
    'pings',
    'handshake',
    'summary',
    'setup_steps',
    'required_credentials',
    'optional_credentials',
    'oauth',
    'sync',
    'methods',
    'actions',
    'created_at',
    'updated_at',
  ],
  columns: [
    'provider_id',
    'provider',
    'name',
    { path: 'verification.kind', header: 'VERIFICATION' },
    { path: 'updated_at', optional: true },
  ],
  id: 'provider_id',
});

export const presetView = view<ProviderPreset>()({
  noun: ['preset', 'presets'],
  fields: ['preset', 'definition', 'sample'],
  columns: [
    'preset',
    { path: 'definition.name', header: 'NAME' },
    { path: 'definition.description', header: 'DESCRIPTION', flexible: true },
  ],
  id: 'preset',
});

export const previewView = view<ProviderPreview>()({
  noun: ['preview', 'previews'],
  fields: ['verification', 'outcome', 'reason', 'event', 'answer'],
  columns: ['verification.result', 'outcome', 'event.type', 'reason'],
  id: 'outcome',
});
