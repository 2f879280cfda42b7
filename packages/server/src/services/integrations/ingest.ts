import type { Context } from '../../context.ts';
import {
  findIntegrationById,
  type IntegrationRow,
  learnCredentials,
  markConnected,
  markSynced,
  markVerified,
  setHook,
} from '../../db/integrations/integrations.ts';
import type { Tx } from '../../db/core/schema.ts';
import { lockWorkspace } from '../../db/workspaces/workspaces.ts';
import { Fault, notFound } from '../../domain/faults/fault.ts';
import type {
  Answer,
  Credentials,
  DeclaredHeaders,
  IngestRequest,
  Provider,
  Received,
  Verdict,
} from '../../providers/provider.ts';
import { audit } from '../audit-log.ts';
import { openCredentials, sealCredentials } from './credentials.ts';
import { recordEvent } from '../events/events.ts';
import { providerOf } from './provider-of.ts';
import { catchUpAfter } from './sync/begin.ts';
import { lastEventText } from './sync/state.ts';
import { followFact, noteRefusedCall, noteUnreadable, tellConnected } from './status.ts';

/** The result of a provider's call. `answer`: what the provider wants to read instead. */
export type Ingested =
  | { status: 'accepted'; event_id: string }
  | { status: 'duplicate'; event_id: string }
  | { status: 'ignored'; reason: string; answer?: Answer };

/** A call as it came: with every header, and the names of those that came more than once. */
export type IncomingCall = IngestRequest & { repeated: ReadonlySet<string> };

/** The integration that a call is for, and the provider that reads its calls. */
export interface Source {
  row: IntegrationRow;
  provider: Provider;
}

/** One kind of calls from a provider: what proves them, and what they mean. */
interface Door {
  headers: DeclaredHeaders;
  verify(request: IngestRequest, credentials: Credentials): Verdict;
  receive(request: IngestRequest, credentials: Credentials): Received;
}

/** The meaning of a call, once it has proved that it comes from the provider. Throws `unauthorized` otherwise. */
export async function authenticateCall(
  context: Context,
  { row, door }: { row: IntegrationRow; door: Door },
  call: IncomingCall,
): Promise<Received> {
  const credentials = openCredentials(context, row);
  if (!credentials) {
    await noteUnreadable(context, row);
    throw unreadable();
  }
  const names = door.headers(credentials);
  const request = { ...call, headers: pick(call.headers, names) };
  const twice = names.find((name) => call.repeated.has(name));
  const verdict: Verdict =
    twice === undefined
      ? door.verify(request, credentials)
      : { ok: false, reason: `several ${twice} headers` };
  if (!verdict.ok) {
    context.log.info(
      { integration_id: row.id, provider: row.provider, reason: verdict.reason },
      'a call was refused',
    );
    await noteRefusedCall(context, row, verdict.reason);
    throw unproven();
  }
  return door.receive(request, credentials);
}

const unproven = () =>
  new Fault('unauthorized', "The call does not prove that it knows this integration's secret.");

const pick = (headers: IngestRequest['headers'], names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));

// Long enough for a person to reconnect it; a provider that repeats calls comes back for hours or days.
const UNREADABLE_SECONDS = 60;

/** The call may be authentic, but the credentials to prove it cannot be read: the provider should repeat it. */
function unreadable(): Fault {
  const message =
    'The stored credentials of this integration can no longer be read. Reconnect it; then repeat the call.';
  return new Fault('service_unavailable', message, {
    retryAfterSeconds: UNREADABLE_SECONDS,
  });
}

/**
 * Stores what an authentic call means with its deliveries in one transaction; the answer follows the commit. A provider that
 * repeats a call gets the same answer and makes no second event.
 */
export async function acceptCall(
  context: Context,
  { row }: Pick<Source, 'row'>,
  received: Received,
): Promise<Ingested> {
  if (received.kind === 'malformed') throw new Fault('invalid_request', `The body ${received.issue}.`);
  if (received.kind === 'handshake') {
    const { reason, answer, learned } = received;
    if (learned) await learn(context, row, learned);
    else await note(context, row);
    return { status: 'ignored', reason, answer };
  }
  if (received.kind !== 'event') {
    await note(context, row, { proves: received.kind === 'ping' });
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
      await noteCall(tx, context, { row, lastEvent });
      if (recorded.duplicate) return { status: 'duplicate', event_id: recorded.id };
      const { ended } = received;
      if (ended) await end(tx, context, { row, ended });
      return { status: 'accepted', event_id: recorded.row.id };
    },
    { addsTo: row.workspace_id },
  );
}

/** Notes that access or the webhook has ended. A webhook that is gone must not be removed, or changed by a reconnect. */
async function end(
  tx: Tx,
  context: Context,
  { row, ended: { what, reason } }: { row: IntegrationRow; ended: NonNullable<EventReceived['ended']> },
): Promise<void> {
  if (what === 'webhook') await setHook(tx, row, { hook: null, hook_refusal: null });
  await followFact(tx, context, {
    row,
    fact: what === 'webhook' ? { kind: 'webhook_ended', reason } : { kind: 'refused', what, reason },
  });
}

type EventReceived = Extract<Received, { kind: 'event' }>;

/** Notes a call that made no event. `proves`: it shows that a new webhook works. */
function note(context: Context, row: IntegrationRow, { proves = false } = {}): Promise<void> {
  return context.write(
    async (tx) => {
      await lockWorkspace(tx, row.workspace_id);
      await noteCall(tx, context, { row, lastEvent: null });
      if (proves) await followFact(tx, context, { row, fact: { kind: 'pinged' } });
    },
    { addsTo: row.workspace_id },
  );
}

/** Stores the credentials that a handshake brings. Of two handshakes at the same time, the first counts; the other is refused. */
async function learn(context: Context, row: IntegrationRow, learned: Credentials): Promise<void> {
  const known = openCredentials(context, row) ?? {};
  const sealed = sealCredentials(context, row.id, { ...known, ...learned });
  await context.write(async (tx) => {
    await lockWorkspace(tx, row.workspace_id);
    const call = { id: row.id, credentials: row.credentials, now: context.now.toISOString() };
    if (!(await learnCredentials(tx, call, sealed))) throw unproven();
    await audit(tx, context, {
      workspaceId: row.workspace_id,
      action: 'integration.updated',
      target: { type: 'integration', id: row.id, name: row.name ?? row.provider },
      changes: Object.keys(learned).map((name) => ({
        field: `credentials.${name}`,
        from: null,
        to: '[redacted]',
      })),
    });
  });
}

/** The integration behind an ingest URL. Unknown and disconnected ones look the same. */
export async function findSource(context: Context, integrationId: string): Promise<Source> {
  const row = await findIntegrationById(context.store.read, integrationId);
  const provider = row && providerOf(context, row);
  if (!row || !provider) throw notFound('integration');
  return { row, provider };
}

/** Follows an authentic call in the status of its integration. The workspace is locked. */
async function noteCall(
  tx: Tx,
  context: Context,
  { row, lastEvent }: { row: IntegrationRow; lastEvent: string | null },
): Promise<void> {
  const call = { id: row.id, credentials: row.credentials, now: context.now.toISOString() };
  // Disconnected while the call was on its way: nothing of it may be stored.
  if (!(await markSynced(tx, call, lastEvent))) throw notFound('integration');
  if (row.verified_at === null) await markVerified(tx, call);
  if (row.status === 'disconnected' && (await markConnected(tx, call))) await tellConnected(tx, context, row);
  if (row.problem === null) return;
  if (await followFact(tx, context, { row, fact: { kind: 'opened' } })) await catchUpAfter(tx, context, row);
}
