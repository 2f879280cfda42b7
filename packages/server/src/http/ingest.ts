import { endpoints, LIMITS } from '@hubline/contract';
import { parse as parseQueryString } from 'node:querystring';
import { findSource, type IncomingCall, ingest, type Ingested, ingestSlack } from '../services/ingest.ts';
import {
  chargeIngest,
  type Exchange,
  guarded,
  type HttpContext,
  type HttpDeps,
  jsonReply,
  publicContext,
} from './pipeline.ts';
import { parseParams } from './parse-input.ts';
import { searchOf } from './request.ts';
import { repeatedHeaders } from './single-headers.ts';

// 200 for what is already there: providers such as Jira repeat a call that was answered with a conflict.
const STATUS = { accepted: 202, duplicate: 200, ignored: 200 } satisfies Record<Ingested['status'], number>;

/** `POST /ingest/{integrationId}`: a provider's webhook, answered after its event is stored. */
export function receiveHook(deps: HttpDeps) {
  return (c: HttpContext): Promise<Response> =>
    guarded(deps, c, async (exchange) => {
      const { context, source, request } = await read(deps, c, exchange);
      const result = await ingest(context, source, request);
      return jsonReply(exchange, STATUS[result.status], JSON.stringify(result));
    });
}

/** `POST /ingest/{integrationId}/slack`: whatever can send to Slack can send here. Answers `ok`, as Slack does. */
export function receiveSlackMessage(deps: HttpDeps) {
  return (c: HttpContext): Promise<Response> =>
    guarded(deps, c, async (exchange) => {
      const { context, source, request } = await read(deps, c, exchange);
      const query = parseQueryString(searchOf(exchange.incoming).toString());
      await ingestSlack(context, source, { ...request, query });
      return {
        status: 200,
        headers: { 'Content-Type': 'text/plain', 'Content-Length': '2', ...exchange.headers },
        body: 'ok',
      };
    });
}

/** Finds who the call is for, and only then reads it: strangers cannot fill the memory with bodies for nobody. */
async function read(deps: HttpDeps, c: HttpContext, exchange: Exchange) {
  const { incoming, meta } = exchange;
  const { integrationId = '' } = parseParams(endpoints['ingest.receive'].params, c.req.param());
  exchange.ids.integration_id = integrationId;
  chargeIngest(deps, exchange, integrationId);
  const context = publicContext(deps, exchange);
  const source = await findSource(context, integrationId);
  exchange.payer = source.row.workspace_id;
  const request: IncomingCall = {
    headers: flatten(incoming.headers),
    repeated: repeatedHeaders(incoming),
    body: await deps.bodies.read(exchange, LIMITS.ingestBodyBytes),
    now: meta.now,
  };
  return { context, source, request };
}

function flatten(headers: Exchange['incoming']['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
