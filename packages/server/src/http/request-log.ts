import type { Context as HonoContext } from 'hono';
import { routePath } from 'hono/route';
import type { Deps } from '../context.ts';
import type { RequestSample } from '../metrics/metrics.ts';

/** The caller and the workspace: IDs that were looked up, nothing that the caller wrote. */
export interface RequestIds {
  user_id?: string;
  key_id?: string;
  workspace_id?: string;
  integration_id?: string;
}

/**
 * Counts a request that has its response, and logs a line: method, template of the route, status, milliseconds, IDs. Never
 * its content: no body, no header, no query. The level is `info` in the JSON format, and `debug` in the
 * format for people.
 */
export function logRequest(
  { log, metrics, config }: Pick<Deps, 'log' | 'metrics' | 'config'>,
  { meta, ids }: { meta: { id: string }; ids: RequestIds },
  sample: RequestSample,
): void {
  metrics.request(sample);
  // Most logs leave this line out, and its fields need not be made.
  if (config.logFormat !== 'json' && config.logLevel !== 'debug') return;
  const { method, route, status, ms } = sample;
  const fields = { request_id: meta.id, method, route, status, ms: Math.round(ms * 10) / 10, ...ids };
  if (config.logFormat === 'json') log.info(fields, 'request');
  else log.debug(fields, 'request');
}

const templates = new Map<string, string>();

/** The template of the route that serves a request, as the documentation writes it: `/v1/workspaces/{id}`. */
export function routeOf(c: HonoContext): string {
  const path = routePath(c);
  let template = templates.get(path);
  if (template === undefined) {
    template = path.replaceAll(/:(\w+)/g, '{$1}') || 'none';
    templates.set(path, template);
  }
  return template;
}
