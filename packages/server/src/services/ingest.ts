import type { Context } from '../context.ts';
import { findIntegration, type IntegrationRow, updateIntegration } from '../db/integrations.ts';
import type { Tx } from '../db/schema.ts';
import { Fault, notFound } from '../domain/fault.ts';
import type { IngestRequest, Provider, Received } from '../providers/provider.ts';
import { openCredentials } from './credentials.ts';
import { recordEvent } from './events.ts';

/** What became of a provider's call. */
export type Ingested =
  | { status: 'accepted'; event_id: string }
  | { status: 'duplicate'; event_id: string }
  | { status: 'ignored'; reason: string };

/**
 * One call of a provider: authentic, then understood, then stored with its deliveries in one transaction; the answer
 * follows the commit. A provider that repeats a call gets the same answer and makes no second event.
 */
export async function ingest(
  context: Context,
  integrationId: string,
  request: IngestRequest,
): Promise<Ingested> {
  const { row, provider } = await findSource(context, integrationId);
  const credentials = openCredentials(context, row);
  const verdict = provider.verify(request, credentials);
  if (!verdict.ok) {
    context.log.info(
      { integration_id: row.id, provider: row.provider, reason: verdict.reason },
      'a call was refused',
    );
    throw new Fault('unauthorized', "The call is not signed with this integration's secret.");
  }
  return accept(context, row, provider.receive(request, credentials));
}

/** A message in the format of a Slack incoming webhook, for an integration that takes them. */
export async function ingestSlack(
  context: Context,
  integrationId: string,
  request: IngestRequest & { query: Record<string, unknown> },
): Promise<Ingested> {
  const { row, provider } = await findSource(context, integrationId);
  return accept(context, row, provider.receive(request, openCredentials(context, row)));
}

/** Stores what a call means. Its sender has been authenticated. */
export async function accept(context: Context, row: IntegrationRow, received: Received): Promise<Ingested> {
  if (received.kind === 'malformed') throw new Fault('invalid_request', `The body ${received.issue}.`);
  if (received.kind !== 'event') {
    if (received.kind === 'ping') await context.write((tx) => markConnected(tx, context, row));
    return { status: 'ignored', reason: received.reason };
  }
  return context.write(async (tx) => {
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
    if (recorded.duplicate) return { status: 'duplicate', event_id: recorded.id };
    await markConnected(tx, context, row);
    return { status: 'accepted', event_id: recorded.row.id };
  });
}

/** The integration behind an ingest URL. Unknown and disconnected ones look the same. */
export async function findSource(
  context: Context,
  integrationId: string,
): Promise<{ row: IntegrationRow; provider: Provider }> {
  const row = await findIntegration(context.store.read, integrationId);
  const provider = row && context.providers.get(row.provider);
  if (!row || !provider) throw notFound('integration');
  return { row, provider };
}

async function markConnected(tx: Tx, context: Context, row: IntegrationRow): Promise<void> {
  const now = context.now.toISOString();
  const changed = await updateIntegration(tx, row.id, { status: 'connected', last_synced_at: now });
  // Disconnected while the call was on its way: nothing of it must stay.
  if (!changed) throw notFound('integration');
}
