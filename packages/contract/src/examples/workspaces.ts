import { type ErrorExample, type ExamplesFor, lastPage } from './example.ts';
import { ids } from './ids.ts';
import { before, bounds, failure, health, queue, series, totals } from './stats.ts';

const acme = {
  id: ids.workspace,
  name: 'Acme',
  slug: 'acme',
  plan: 'free' as const,
  created_at: '2026-10-05T08:01:12.340Z',
  updated_at: '2026-10-05T08:01:12.340Z',
};

const slugTaken: ErrorExample = {
  message: 'slug is taken. Choose another one.',
  details: [{ field: 'slug', issue: 'is taken; choose another one' }],
};

export const workspaceExamples = {
  'workspaces.list': { response: { data: [acme], pagination: lastPage } },
  'workspaces.create': {
    body: { name: 'Acme', slug: 'acme' },
    response: acme,
    errors: { conflict: slugTaken },
  },
  'workspaces.get': { response: acme },
  'workspaces.update': {
    body: { name: 'Acme Corporation', plan: 'team' },
    response: { ...acme, name: 'Acme Corporation', plan: 'team', updated_at: '2026-11-02T10:45:09.117Z' },
    errors: {
      conflict: slugTaken,
      forbidden: {
        message: 'plan needs the role owner; you act as admin.',
        details: [{ field: 'plan', issue: 'needs the role owner; you act as admin' }],
      },
    },
  },
  'workspaces.delete': {},
  'workspaces.stats': {
    response: {
      workspace_id: ids.workspace,
      ...bounds,
      ...totals,
      events: 60,
      previous: { ...before, events: 54 },
      queue,
      sources: [
        { source: 'github', events: 48 },
        { source: 'ci', events: 12 },
      ],
      series,
      webhooks: [
        {
          webhook_id: ids.webhook,
          url: 'https://app.example.com/hooks/hubline',
          attempts: 61,
          failed: 1,
          failure_rate: 1 / 61,
          p50_ms: 42,
          p95_ms: 55,
          health,
        },
      ],
      failures: [{ webhook_id: ids.webhook, ...failure }],
    },
  },
  'workspaces.health': {
    response: {
      workspace_id: ids.workspace,
      version: '1.4.0',
      started_at: '2026-11-01T19:02:11.000Z',
      database: { kind: 'sqlite', response_ms: 0.4 },
      sends_email: true,
      public_url: 'https://hub.example.com',
      queue,
      server: {
        database_bytes: 412_090_368,
        free_bytes: 33_285_996_544,
        memory_bytes: 310_378_496,
        jobs: [{ kind: 'mail', state: 'retrying', jobs: 1 }],
        backups: [
          {
            path: '/var/backups/hubline-2026-11-02.db',
            bytes: 411_041_792,
            taken_at: '2026-11-02T03:00:04.120Z',
            present: true,
          },
        ],
        backup_schedule: {
          every_seconds: 86_400,
          keep: 7,
          to: '/var/backups',
          last_success_at: '2026-11-02T03:00:04.120Z',
          last_error: null,
        },
        certificate: {
          domain: 'hub.example.com',
          authority: 'acme-v02.api.letsencrypt.org',
          expires_at: '2027-01-12T08:30:00.000Z',
          renews_at: '2026-12-13T20:11:42.000Z',
          next_try_at: '2026-12-13T20:11:42.000Z',
          last_error: null,
        },
      },
    },
  },
} satisfies ExamplesFor<'workspaces'>;
