import type { Deps } from '../context.ts';
import { isReady } from '../services/health.ts';
import type { HttpContext } from './pipeline.ts';

const NO_STORE = { 'Cache-Control': 'no-store', 'Content-Type': 'application/json' };

/** `GET /livez`: the process runs. No I/O: a full disk must not get it restarted. */
export function live(): Response {
  return new Response('{"status":"ok"}', { headers: NO_STORE });
}

/** `GET /readyz`: requests can be served. Says nothing else: it is open to everybody. */
export function ready(deps: Pick<Deps, 'store' | 'clock' | 'log'>, draining: () => boolean) {
  return async (_: HttpContext): Promise<Response> => {
    const ok = !draining() && (await isReady(deps));
    return new Response(JSON.stringify({ status: ok ? 'ok' : 'unavailable' }), {
      status: ok ? 200 : 503,
      headers: NO_STORE,
    });
  };
}
