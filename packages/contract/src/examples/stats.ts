import { STATS_WINDOWS } from '../constants/statuses.ts';

const FIRST_MINUTE = Date.parse('2026-11-02T09:46:00.000Z');

/** One event a minute for an hour, each but one delivered at the first attempt. */
export const series = Array.from({ length: STATS_WINDOWS['1h'].buckets }, (_, minute) => ({
  at: new Date(FIRST_MINUTE + minute * 60_000).toISOString(),
  events: 1,
  succeeded: 1,
  failed: minute === 35 ? 1 : 0,
  p50_ms: 42,
  p95_ms: minute === 35 ? 118 : 42,
}));

/** The same hour in parts of three minutes. */
export const health = Array.from({ length: 20 }, (_, part) => ({
  at: new Date(FIRST_MINUTE + part * 180_000).toISOString(),
  succeeded: 3,
  failed: part === 11 ? 1 : 0,
}));

/** The bounds of that hour. */
export const bounds = {
  window: '1h' as const,
  since: new Date(FIRST_MINUTE).toISOString(),
  until: '2026-11-02T10:45:09.117Z',
  bucket_seconds: STATS_WINDOWS['1h'].bucketSeconds,
};

/** The totals of that hour. */
export const totals = {
  attempts: { succeeded: 60, failed: 1 },
  deliveries: { delivered: 60, failed: 0 },
  success_rate: 60 / 61,
  latency: { p50_ms: 42, p95_ms: 55 },
};

/** The totals of the hour before. */
export const before = {
  attempts: { succeeded: 54, failed: 0 },
  deliveries: { delivered: 54, failed: 0 },
  success_rate: 1,
  latency: { p50_ms: 40, p95_ms: 58 },
};

/** The open deliveries now. */
export const queue = { pending: 1, retrying: 0, held: 0 };

/** The one failed attempt of that hour. */
export const failure = {
  response_status: 503,
  error_kind: null,
  attempts: 1,
  parts: health.map(({ failed }) => failed),
  first_at: '2026-11-02T10:21:30.250Z',
  last_at: '2026-11-02T10:21:30.250Z',
};
