import { endpoints, LIMITS } from '@hubline/contract';
import { parse as parseQueryString } from 'node:querystring';
import type { Provider, Received } from '../providers/provider.ts';
import type { JsonPiece } from '../domain/json/encoded.ts';
import {
  acceptCall,
  authenticateCall,
  findSource,
  type IncomingCall,
  type Ingested,
} from '../services/integrations/ingest.ts';
import { whenPrepared } from '../limits/rate-limiter.ts';
import { releaseBuffer } from '../limits/release-buffer.ts';
import { jsonReply } from './response/json-reply.ts';
import { chargeCall } from './charge.ts';
import type { HandledRequest, HttpContext, HttpDeps } from './handled-request.ts';
import { guarded } from './guarded.ts';
import { publicContext } from './request-context.ts';
import { parseParams } from './request/parse-input.ts';
import type { WholeReply } from './response/reply.ts';
import { searchOf } from './request/request.ts';
import { repeatedHeaders } from './request/single-headers.ts';

// 200 for a duplicate: providers such as Jira repeat a call that got a conflict as its response.
const STATUS = { accepted: 202, duplicate: 200, ignored: 200 } satisfies Record<Ingested['status'], number>;

/** `POST /ingest/{integrationId}`: a provider's webhook. The response comes after its event is stored. */
export const receiveHook = serveCalls({
  format: 'own',
  respond: (handled, result, { success }) => {
    const { response = success, ...shown } = { response: undefined, ...result };
    if (response === undefined) return jsonReply(handled, STATUS[result.status], JSON.stringify(shown));
    const { status, body } = response;
    return {
      status,
      headers: {
        ...(body ? { 'Content-Type': body.type } : {}),
        // RFC 9110, 8.6: no length where there can be no content.
        ...(status === 204 ? {} : { 'Content-Length': String(Buffer.byteLength(body?.text ?? '')) }),
        ...handled.headers,
      },
      body: body?.text ?? '',
    };
  },
});

/**
 * `POST /ingest/{integrationId}/slack`: any program that can send to Slack can send here. The response is `ok`, as from Slack.
 */
export const receiveSlackMessage = serveCalls({
  format: 'slack',
  respond: ({ headers }) => ({
    status: 200,
    headers: { 'Content-Type': 'text/plain', 'Content-Length': '2', ...headers },
    body: 'ok',
  }),
});

interface Serving {
  format: IncomingCall['format'];
  respond(handled: HandledRequest, result: Ingested, provider: Provider): WholeReply;
}

/**
 * Finds the integration of a call before it reads the body: strangers cannot fill the memory with bodies for nobody.
 * Charges the workspace for authentic calls and the client's address for all others: strangers cannot use up the
 * requests of a workspace. Nor can they use up its memory: a call is authenticated only after its body is read, so the
 * body counts for the address.
 */
function serveCalls({ format, respond }: Serving) {
  return (deps: HttpDeps) =>
    (c: HttpContext): Promise<Response> =>
      guarded(deps, c, async (handled) => {
        const { incoming, meta, ids } = handled;
        const { integrationId = '' } = parseParams(endpoints['ingest.receive'].params, c.req.param());
        const context = publicContext(deps, handled);
        const source = await findSource(context, integrationId);
        const workspaceId = source.row.workspace_id;
        ids.integration_id = integrationId;
        await whenPrepared(
          () => deps.limits.prepareCall(integrationId, meta.now),
          () => deps.limits.admitCall(integrationId, meta.now),
        );
        const call: IncomingCall = {
          headers: flatten(incoming.headers),
          repeated: repeatedHeaders(incoming),
          query: parseQueryString(searchOf(incoming).toString()),
          body: await deps.bodies.read(handled, LIMITS.ingestBodyBytes),
          now: meta.now,
          format,
        };
        return deps.calls.inTurn(call.body, async () => {
          const { received, outdated } = await authenticateCall(context, source, call);
          releaseBuffer(call.body);
          ids.workspace_id = workspaceId;
          await chargeCall(deps, handled, { integrationId, workspaceId });
          const result = await acceptCall(context, { ...source, outdated }, received);
          freePayload(handled, received);
          return respond(handled, result, source.provider);
        });
      });
}

/** Frees the payload of a long call, which is stored by now. Its reservation leaves no garbage behind. */
function freePayload({ room }: HandledRequest, received: Received<JsonPiece>): void {
  if (received.kind !== 'event' || typeof received.payload === 'string') return;
  releaseBuffer(received.payload);
  room?.resize(0);
}

function flatten(headers: HandledRequest['incoming']['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
