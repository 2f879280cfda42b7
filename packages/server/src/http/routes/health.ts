import { HEADERS } from '@hubline/contract';
import type { Deps } from '../../context.ts';
import type { Readiness } from '../../services/operations/health.ts';

interface HealthDeps extends Pick<Deps, 'ids'> {
  readonly readiness: Readiness;
  readonly draining: () => boolean;
}

type Health = 'ok' | 'unavailable';

/** `GET /livez`: the process runs. No I/O: a full disk must not get it restarted. */
export function live(deps: HealthDeps) {
  return (): Response => healthResponse(deps, 'ok');
}

/** `GET /readyz`: the server can do its work. Reveals nothing else, because it is open to everybody. */
export function ready(deps: HealthDeps) {
  return async (): Promise<Response> =>
    healthResponse(deps, !deps.draining() && (await deps.readiness.check()) ? 'ok' : 'unavailable');
}

function healthResponse({ ids }: HealthDeps, status: Health): Response {
  return new Response(JSON.stringify({ status }), {
    status: status === 'ok' ? 200 : 503,
    headers: {
      [HEADERS.requestId]: ids('request'),
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
