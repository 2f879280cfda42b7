import type { EndpointInput } from '@hubline/contract';
import type { CallResult } from '../delivery/senders/call.ts';
import { DOMAIN } from './cast.ts';
import type { Random } from './random.ts';

type Settings = Pick<EndpointInput<'webhooks.create'>['body'], 'name' | 'events' | 'filters'>;

/** The circumstances on which the response of a receiver depends. */
interface Circumstances {
  random: Random;
  /** Hours before the end of the history; 0 from then on. */
  hoursAgo: number;
}

/** A service of the invented company that receives webhooks. */
interface Receiver {
  host: string;
  path: string;
  settings: Settings;
  respond(circumstances: Circumstances): CallResult;
}

/** The time at which the billing service began to fail, in hours before the end of the history. */
const OUTAGE_HOURS = 9.7;

const events: Settings['events'] = ['event.created'];

/** The webhooks of the workspace: one that fails, one that is slow, and two that work. */
export const RECEIVERS: readonly Receiver[] = [
  {
    host: `billing.${DOMAIN}`,
    path: '/webhooks/hubline',
    settings: {
      name: 'Billing service',
      events,
      filters: { event_types: ['issue', 'release', 'deploy.finished', 'deploy.failed'] },
    },
    respond: ({ random, hoursAgo }) =>
      hoursAgo < OUTAGE_HOURS
        ? unavailable(random.integer(18, 60))
        : accepted(random.integer(48, 170), random.chance(0.004) ? 502 : 200),
  },
  {
    host: `warehouse.${DOMAIN}`,
    path: '/v2/ingest/events',
    settings: { name: 'Data warehouse', events: ['*'] },
    respond({ random, hoursAgo }) {
      if (hoursAgo > 4.1 && hoursAgo < 4.4 && random.chance(0.96)) return busy(random.integer(20, 40));
      if (hoursAgo > 16.2 && hoursAgo < 16.5) return timedOut;
      if (random.chance(0.006)) return timedOut;
      return accepted(Math.round(620 + 2_300 * random.next() ** 3), 202);
    },
  },
  {
    host: `deploybot.${DOMAIN}`,
    path: '/hooks',
    settings: {
      name: 'Deploy bot',
      events,
      filters: {
        event_types: ['push', 'workflow_run', 'deploy.started', 'deploy.finished', 'deploy.failed'],
      },
    },
    respond: ({ random }) => accepted(Math.round(22 + 90 * random.next() ** 2)),
  },
  {
    host: `status.${DOMAIN}`,
    path: '/api/hubline',
    settings: {
      name: 'Status page',
      events,
      filters: {
        event_types: ['commit', 'pull_request', 'workflow_run', 'deploy.finished', 'deploy.failed'],
      },
    },
    respond({ random, hoursAgo }) {
      const restarts = hoursAgo > 14.3 && hoursAgo < 14.7 && random.chance(0.4);
      return accepted(Math.round(70 + 180 * random.next() ** 2), restarts ? 500 : 204);
    },
  },
];

/** The response to a call of a webhook; `null` for a host outside the company. Other URLs of the company respond with 200. */
export function respond(url: string, circumstances: Circumstances): CallResult | null {
  const { hostname } = new URL(url);
  if (hostname !== DOMAIN && !hostname.endsWith(`.${DOMAIN}`)) return null;
  const receiver = RECEIVERS.find(({ host }) => host === hostname);
  return receiver ? receiver.respond(circumstances) : accepted(circumstances.random.integer(40, 120));
}

function accepted(durationMs: number, status = 200): CallResult {
  const body = status === 204 ? '' : JSON.stringify(status < 300 ? { ok: true } : { error: 'internal' });
  return result(durationMs, { status, body });
}

const unavailable = (durationMs: number): CallResult =>
  result(durationMs, {
    status: 503,
    body: JSON.stringify({
      error: 'service_unavailable',
      message: `This host was retired. Call https://billing-eu.${DOMAIN}/webhooks/hubline instead.`,
    }),
  });

const busy = (durationMs: number): CallResult => ({
  ...result(durationMs, { status: 429, body: JSON.stringify({ error: 'too_many_requests' }) }),
  retryAfter: '30',
});

const timedOut: CallResult = {
  durationMs: 30_000,
  response: null,
  error: { kind: 'timeout', message: 'no response within 30 s' },
  retryAfter: null,
  ok: false,
  localFailure: false,
};

function result(durationMs: number, { status, body }: { status: number; body: string }): CallResult {
  const headers: Record<string, string> = body === '' ? {} : { 'content-type': 'application/json' };
  return {
    durationMs,
    response: { status, headers: { server: 'nginx', ...headers }, body },
    error: null,
    retryAfter: null,
    ok: status < 300,
    localFailure: false,
  };
}
