import { STATS_WINDOWS } from '../statuses.ts';
import { type ErrorExample, type ExamplesFor, lastPage } from './example.ts';
import { ids } from './ids.ts';

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

const UNTIL = '2026-11-02T10:45:09.117Z';
const FIRST_MINUTE = Date.parse('2026-11-02T09:46:00.000Z');

/** One event a minute for an hour, each delivered at the first attempt, but for one. */
const series = Array.from({ length: STATS_WINDOWS['1h'].buckets }, (_, minute) => ({
  at: new Date(FIRST_MINUTE + minute * 60_000).toISOString(),
  events: 1,
  succeeded: 1,
  failed: minute === 35 ? 1 : 0,
  p50_ms: 42,
  p95_ms: minute === 35 ? 118 : 42,
}));

/** The same hour in parts of three minutes. */
const health = Array.from({ length: 20 }, (_, part) => ({
  at: series[part * 3]?.at ?? UNTIL,
  succeeded: 3,
  failed: part === 11 ? 1 : 0,
}));

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
      window: '1h',
      since: series[0]?.at ?? UNTIL,
      until: UNTIL,
      bucket_seconds: STATS_WINDOWS['1h'].bucketSeconds,
      events: 60,
      attempts: { succeeded: 60, failed: 1 },
      deliveries: { delivered: 60, failed: 0 },
      success_rate: 60 / 61,
      latency: { p50_ms: 42, p95_ms: 55 },
      previous: {
        events: 54,
        attempts: { succeeded: 54, failed: 0 },
        deliveries: { delivered: 54, failed: 0 },
        success_rate: 1,
        latency: { p50_ms: 40, p95_ms: 58 },
      },
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
    },
  },
} satisfies ExamplesFor<'workspaces'>;
