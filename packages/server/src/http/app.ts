import { type Endpoint, type EndpointName, endpoints } from '@hubline/contract';
import { Hono } from 'hono';
import { Fault } from '../domain/faults/fault.ts';
import type { EventFeed } from '../services/events/event-feed.ts';
import type { Readiness } from '../services/operations/health.ts';
import { respondAuditLog } from './routes/audit-export.ts';
import { type Dashboard, dashboardResponse } from './dashboard.ts';
import { streamEvents } from './routes/event-stream.ts';
import { streamNotifications } from './routes/notification-stream.ts';
import { checks, handlers, recalls } from './handlers.ts';
import { HttpFault } from './response/http-fault.ts';
import { live, ready } from './routes/health.ts';
import type { Refuse } from './listeners/http-server.ts';
import { receiveHook, receiveSlackMessage } from './ingest.ts';
import { metrics } from './routes/metrics.ts';
import { logRequest } from './request-log.ts';
import { describeApi } from './routes/openapi.ts';
import { connectPage } from './pages/connect.ts';
import { oauthCallback } from './pages/oauth-callback.ts';
import {
  acceptForm,
  acceptPage,
  setupForm,
  setupPage,
  unsubscribeForm,
  unsubscribePage,
} from './pages/index.ts';
import { type Bindings, type HttpContext, type HttpDeps, newRequestState } from './handled-request.ts';
import { guarded, refuse } from './guarded.ts';
import { type Handler, type Respond, serve } from './pipeline.ts';
import {
  beginSession,
  endOtherSessions,
  endSession,
  followSession,
  readSession,
  replacePassword,
} from './routes/session.ts';
import { shortName } from './request/parse-input.ts';
import { describeConnection, describeRequest } from './request/request.ts';

/** The parts that the application needs besides the pipeline's. */
export interface AppDeps extends HttpDeps {
  readonly feed: EventFeed;
  readonly dashboard: Dashboard;
  readonly readiness: Readiness;
  readonly draining: () => boolean;
}

type Serve = (c: HttpContext) => Promise<Response>;

/** Every route of the server. Those of the API come from the contract's table, row by row. */
export function createApp(deps: AppDeps): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>({ strict: true });
  const special: Partial<Record<EndpointName, Respond>> = {
    'events.stream': streamEvents(deps),
    'notifications.stream': streamNotifications(deps),
    'auditLog.list': respondAuditLog(deps),
  };
  const ingest: Partial<Record<EndpointName, Serve>> = {
    'ingest.receive': receiveHook(deps),
    'ingest.slack': receiveSlackMessage(deps),
  };
  const methods = new Map<string, string[]>();

  // `/events/stream` and `/events/batch` before `/events/{eventId}`: the router takes the first that fits.
  const rows = Object.entries<Endpoint>(endpoints).sort(([, a], [, b]) => placeholders(a) - placeholders(b));
  for (const [key, row] of rows) {
    const name = key as EndpointName;
    const path = `/v1${row.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    const handle = (handlers as unknown as Partial<Record<EndpointName, Handler>>)[name] ?? unreachable;
    const respond = special[name];
    app.on(
      row.method,
      path,
      ingest[name] ?? serve(deps, { name, row, handle, respond, recall: recalls[name], check: checks[name] }),
    );
    // Keyed by the shape of the path: `{id}` of one row and `{workspace_id}` of another are the same path.
    const shape = path.replaceAll(PARAMETER, ':any');
    const allowed = methods.get(shape) ?? [];
    methods.set(shape, [...allowed, ...(row.method === 'GET' ? ['GET', 'HEAD'] : [row.method])]);
  }

  // Pages for browsers beside the API's own endpoints: the links of OAuth.
  const start = '/v1/integrations/oauth/:provider/start';
  const callback = '/v1/integrations/oauth/:provider/callback';
  app.get(start, connectPage(deps));
  app.get(callback, oauthCallback(deps));
  methods.set(start.replaceAll(PARAMETER, ':any'), ['POST', 'GET', 'HEAD']);
  methods.set(callback.replaceAll(PARAMETER, ':any'), ['GET', 'HEAD']);

  app.get('/v1/openapi.json', describeApi(deps));
  methods.set('/v1/openapi.json', ['GET', 'HEAD']);

  app.get('/metrics', metrics(deps));
  app.get('/livez', live(deps));
  app.get('/readyz', ready(deps));
  app.get('/session', readSession(deps)).post(beginSession(deps)).delete(endSession(deps));
  app.get('/session/changes', followSession(deps));
  app.delete('/session/others', endOtherSessions(deps));
  app.post('/session/password', replacePassword(deps));
  app.get('/setup', setupPage(deps)).post(setupForm(deps));
  app.get('/invite', acceptPage(deps)).post(acceptForm(deps));
  app.get('/unsubscribe', unsubscribePage(deps)).post(unsubscribeForm(deps));

  // In an application of their own, asked last: as routes of this one they would match every request in addition to its
  // own route, and Hono would chain the two as middleware, which costs nearly a microsecond per request (measured).
  const others = new Hono<{ Bindings: Bindings }>({ strict: true });
  for (const [path, allowed] of methods) others.all(path, wrongMethod(deps, allowed));
  others.notFound((c) =>
    guarded(deps, c, (handled) => {
      const page = dashboardResponse(deps.dashboard, handled.incoming, handled.headers);
      if (page) return Promise.resolve(page);
      throw new Fault(
        'not_found',
        c.req.path === '/'
          ? 'The dashboard was not built. In the clone, `npx -y pnpm@12 start` builds it and starts the server. The API begins at /v1.'
          : `There is no ${shortName(c.req.path)}. The API begins at /v1; see /v1/openapi.json.`,
        { reason: 'route_not_found' },
      );
    }),
  );
  app.notFound((c) => others.fetch(c.req.raw, c.env));
  return app;
}

/** Refuses requests that never reach the application, in the shape of every other error. */
export function createRefuse(deps: HttpDeps): Refuse {
  return (from, fault) => {
    const isRequest = !('address' in from);
    const state = newRequestState(
      isRequest ? describeRequest(deps, from) : describeConnection(deps, from.address),
    );
    const reply = refuse(deps, state, fault);
    const method = (isRequest ? from.method : undefined) ?? 'none';
    logRequest(deps, state, { method, route: 'none', status: reply.status, ms: 0 });
    return reply;
  };
}

const PARAMETER = /:\w+/g;

const placeholders = (row: Endpoint) => row.path.split('{').length;

const unreachable: Handler = () =>
  Promise.reject(new Error('A special endpoint came to the ordinary pipeline.'));

function wrongMethod(deps: AppDeps, allowed: string[]): Serve {
  const list = allowed.join(', ');
  return (c) =>
    guarded(deps, c, () => {
      throw new HttpFault(405, `${c.req.method} is not allowed here; use ${list}.`, {
        headers: { Allow: list },
      });
    });
}
