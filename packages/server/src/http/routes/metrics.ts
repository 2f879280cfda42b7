import { createHash, timingSafeEqual } from 'node:crypto';
import { Fault } from '../../domain/faults/fault.ts';
import type { HttpContext, HttpDeps } from '../handled-request.ts';
import { guarded } from '../guarded.ts';
import { isLocal } from '../request/request.ts';

/**
 * `GET /metrics`, for Prometheus. It shows how busy each workspace is, so it is not for the internet: without
 * `HUBLINE_METRICS_TOKEN` it serves this machine only; with it, any client that sends the token.
 */
export function metrics(deps: HttpDeps) {
  return (c: HttpContext): Promise<Response> =>
    guarded(deps, c, async ({ incoming, headers }) => {
      const { metricsToken } = deps.config;
      const allowed =
        metricsToken === undefined
          ? isLocal(deps, incoming)
          : same(incoming.headers.authorization ?? '', `Bearer ${metricsToken}`);
      if (!allowed) {
        throw new Fault(
          'unauthorized',
          'Metrics are for this machine only, or for requests with HUBLINE_METRICS_TOKEN as the bearer token, if the server has one.',
        );
      }
      const { contentType, text } = await deps.metrics.render();
      return new Response(text, {
        headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store', ...headers },
      });
    });
}

const digest = (text: string) => createHash('sha256').update(text).digest();

const same = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));
