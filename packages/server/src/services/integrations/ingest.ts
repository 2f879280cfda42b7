import type { Context } from '../../context.ts';
import {
  findIntegrationById,
  type IntegrationRow,
  storeCredentials,
  markConnected,
  markSynced,
  markVerified,
  setHook,
} from '../../db/integrations/integrations.ts';
import type { Tx } from '../../db/core/schema.ts';
import { lockWorkspace } from '../../db/workspaces/workspaces.ts';
import { Fault, notFound } from '../../domain/faults/fault.ts';
import { previousOf } from '../../providers/calls/overlap.ts';
import {
  type ProvenCall,
  type CallFormat,
  type CallReading,
  verifierOf,
} from '../../providers/calls/read-call.ts';
import type {
  SuccessResponse,
  Credentials,
  IngestRequest,
  Provider,
  Received,
} from '../../providers/provider.ts';
import type { JsonPiece } from '../../domain/json/encoded.ts';
import { audit } from '../audit-log.ts';
import { openCredentials, sealCredentials } from './credentials.ts';
import { recordEvent } from '../events/record-event.ts';
import { providerOf } from './provider-of.ts';
import { syncAfterProblem } from './sync/begin.ts';
import { lastEventText } from './sync/state.ts';
import { applyFinding, recordRefusedCall, recordUnreadable, recordConnected } from './status.ts';

/** The result of a provider's call. `response`: the response that the provider expects instead. */
export type Ingested =
  | { status: 'accepted'; event_id: string }
  | { status: 'duplicate'; event_id: string }
  | { status: 'ignored'; reason: string; response?: SuccessResponse };

/** A call as received: with every header, and the names of repeated headers. */
export type IncomingCall = IngestRequest & { repeated: ReadonlySet<string>; format: CallFormat };

/** The integration that a call is for, and the provider that reads its calls. */
export interface CallSource {
  row: IntegrationRow;
  provider: Provider;
}

/** Verifies that a call comes from the provider, and reads it. Throws `unauthorized` otherwise. */
export async function authenticateCall(
  context: Context,
  { row, provider }: CallSource,
  { repeated, format, ...call }: IncomingCall,
): Promise<ProvenCall> {
  const verifier = verifierOf(provider, format);
  if (!verifier) throw notFound('integration');
  const credentials = openCredentials(context, row);
  if (!credentials) {
    await recordUnreadable(context, row);
    throw unreadable();
  }
  const known = [credentials, previousOf(credentials, call.now) ?? []].flat();
  const names = [...new Set(known.flatMap((each) => verifier.headers(each)))];
  const request = { ...call, headers: pick(call.headers, names) };
  const twice = names.find((name) => repeated.has(name));
  const rules = { provider, definition: row.definition, format };
  const reading: CallReading =
    twice === undefined
      ? await context.calls.read(rules, request, credentials)
      : { ok: false, reason: `several ${twice} headers` };
  if (reading.ok) return reading;
  context.log.info(
    { integration_id: row.id, provider: row.provider, reason: reading.reason },
    'a call was refused',
  );
  await recordRefusedCall(context, row, reading.reason);
  throw unproven();
}

const unproven = () =>
  new Fault('unauthorized', "The call does not prove that its sender knows this integration's secret.");

const pick = (headers: IngestRequest['headers'], names: readonly string[]) =>
  Object.fromEntries(
    names.filter((name) => Object.hasOwn(headers, name)).map((name) => [name, headers[name] ?? '']),
  );

// Long enough for a person to reconnect the integration; a provider that repeats calls does so for hours or days.
const UNREADABLE_SECONDS = 60;

/** The fault for a call that may be authentic, but whose credentials cannot be read: the provider should repeat it. */
function unreadable(): Fault {
  const message =
    'The stored credentials of this integration can no longer be read. Reconnect it; then repeat the call.';
  return new Fault('service_unavailable', message, {
    retryAfterSeconds: UNREADABLE_SECONDS,
  });
}

/**
 * Stores the event of an authentic call and its deliveries in one transaction; the response follows the commit. A
 * repeated call stores no second event, and its response names the first.
 */
export async function acceptCall(
  context: Context,
  { row, outdated = false }: Pick<CallSource, 'row'> & { outdated?: boolean },
  received: Received<JsonPiece>,
): Promise<Ingested> {
  if (received.kind === 'malformed') throw new Fault('invalid_request', `The body ${received.issue}.`);
  if (received.kind === 'handshake') {
    const { reason, response, credentials } = received;
    if (credentials) await keepCredentials(context, row, credentials);
    else await storeCall(context, { row, outdated });
    return { status: 'ignored', reason, response };
  }
  if (received.kind !== 'event') {
    await storeCall(context, { row, outdated, proves: received.kind === 'ping' });
    return { status: 'ignored', reason: received.reason };
  }
  return context.write(
    async (tx) => {
      const recorded = await recordEvent(tx, context, {
        workspaceId: row.workspace_id,
        integration: { id: row.id, provider: row.provider },
        type: received.type,
        source: received.source,
        payload: received.payload,
        summary: received.summary,
        dedupeKey: received.dedupeKey,
        occurredAt: null,
      });
      const lastEvent = recorded.duplicate ? null : lastEventText(recorded.row);
      await noteCall(tx, context, { row, lastEvent, outdated });
      if (recorded.duplicate) return { status: 'duplicate', event_id: recorded.id };
      const { ended } = received;
      if (ended) await end(tx, context, { row, ended });
      return { status: 'accepted', event_id: recorded.row.id };
    },
    { addsTo: row.workspace_id },
  );
}

/**
 * Stores that access or the webhook has ended. A webhook that is gone must not be removed later, or changed by a
 * reconnect.
 */
async function end(
  tx: Tx,
  context: Context,
  { row, ended: { what, reason } }: { row: IntegrationRow; ended: NonNullable<EventReceived['ended']> },
): Promise<void> {
  if (what === 'webhook') await setHook(tx, row, { hook: null, hook_refusal: null });
  await applyFinding(tx, context, {
    row,
    finding: what === 'webhook' ? { kind: 'webhook_ended', reason } : { kind: 'refused', what, reason },
  });
}

type EventReceived = Extract<Received<JsonPiece>, { kind: 'event' }>;

/** Stores that a call came which made no event. `proves`: it shows that a new webhook works. */
function storeCall(
  context: Context,
  { row, outdated, proves = false }: Pick<Noted, 'row' | 'outdated'> & { proves?: boolean },
): Promise<void> {
  return context.write(
    async (tx) => {
      await lockWorkspace(tx, row.workspace_id);
      await noteCall(tx, context, { row, lastEvent: null, outdated });
      if (proves && !outdated) await applyFinding(tx, context, { row, finding: { kind: 'pinged' } });
    },
    { addsTo: row.workspace_id },
  );
}

/**
 * Stores the credentials from a handshake. Of two handshakes at the same time, the first wins; the other is refused.
 */
async function keepCredentials(context: Context, row: IntegrationRow, added: Credentials): Promise<void> {
  const known = openCredentials(context, row) ?? {};
  const sealed = sealCredentials(context, row.id, { ...known, ...added });
  await context.write(async (tx) => {
    await lockWorkspace(tx, row.workspace_id);
    const call = { id: row.id, credentials: row.credentials, now: context.now.toISOString() };
    if (!(await storeCredentials(tx, call, sealed))) throw unproven();
    await audit(tx, context, {
      workspaceId: row.workspace_id,
      action: 'integration.updated',
      target: { type: 'integration', id: row.id, name: row.name ?? row.provider },
      changes: Object.keys(added).map((name) => ({
        field: `credentials.${name}`,
        from: null,
        to: '[redacted]',
      })),
    });
  });
}

/** The integration behind an ingest URL. Unknown and disconnected ones look the same. */
export async function findSource(context: Context, integrationId: string): Promise<CallSource> {
  const row = await findIntegrationById(context.store.read, integrationId);
  const provider = row && providerOf(context, row);
  if (!row || !provider) throw notFound('integration');
  return { row, provider };
}

interface Noted {
  row: IntegrationRow;
  lastEvent: string | null;
  /** True for a call that does not show that the tool knows the new secret. */
  outdated: boolean;
}

/** Updates the status of an integration after an authentic call. The workspace is locked. */
async function noteCall(tx: Tx, context: Context, { row, lastEvent, outdated }: Noted): Promise<void> {
  const call = { id: row.id, credentials: row.credentials, now: context.now.toISOString() };
  // The integration was disconnected while the call was on its way: nothing of the call may be stored.
  if (!(await markSynced(tx, call, lastEvent))) throw notFound('integration');
  if (row.verified_at === null && !outdated) await markVerified(tx, call);
  if (row.status === 'disconnected' && (await markConnected(tx, call)))
    await recordConnected(tx, context, row);
  if (row.problem === null) return;
  if (await applyFinding(tx, context, { row, finding: { kind: 'opened' } }))
    await syncAfterProblem(tx, context, row);
}
