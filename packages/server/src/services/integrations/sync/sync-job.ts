import { z } from 'zod';
import type { WorkContext } from '../../../context.ts';
import type { Db } from '../../../db/core/schema.ts';
import { listKnownKeys, listSummaries } from '../../../db/events/events.ts';
import { findIntegration, type IntegrationRow } from '../../../db/integrations/integrations.ts';
import { setSync } from '../../../db/integrations/stored-sync.ts';
import { lockWorkspace } from '../../../db/workspaces/workspaces.ts';
import type { EventSummary } from '../../../domain/events/summary/summary.ts';
import { Fault } from '../../../domain/faults/fault.ts';
import { ProviderUnavailable } from '../../../domain/faults/provider-unavailable.ts';
import { type RunAgain, defineJob, PermanentFailure } from '../../../jobs/job-kind.ts';
import type { FoundEvent, Hook, Provider, ProviderSync, SyncStep } from '../../../providers/provider.ts';
import { recordEvent } from '../../events/record-event.ts';
import { workContext } from '../../../work-context.ts';
import { ingestUrl } from '../ingest-url.ts';
import { toolsFor } from '../provider-tools.ts';
import { providerOf } from '../provider-of.ts';
import { applyFinding, recordFinding } from '../status.ts';
import { usableCredentials } from '../usable-credentials.ts';
import { lastEventText, type SyncState, syncOf } from './state.ts';

// Enough for a busy integration, and few enough to keep in memory.
const SUMMARIES_MAX = 5_000;

const Payload = z.object({ workspace_id: z.string(), integration_id: z.string(), started_at: z.string() });

/**
 * Asks a provider, step by step, for events whose calls did not arrive. The position is stored in the row of the
 * integration with the events of each step, so that the job continues there after a restart.
 */
export const syncJob = defineJob({
  name: 'sync',
  payload: Payload,
  concurrency: 4,
  async run(deps, payload): Promise<RunAgain | void> {
    const found = await underWay(deps.store.read, payload);
    if (!found) return;
    const provider = providerOf(deps, found.row);
    if (!provider?.sync) return;
    const context = workContext(deps);
    const work: Work = { ...found, provider: { ...provider, sync: provider.sync } };
    try {
      const step = await ask(context, work);
      if (!step.ok) return await refused(context, work, step);
      await store(context, work, step);
      if (step.cursor !== null) return { againInMs: step.pauseMs ?? 0 };
    } catch (error) {
      if (error instanceof Outdated) return { againInMs: 0 };
      if (error instanceof ProviderUnavailable) await noteError(context, work, error.message);
      throw error instanceof Fault ? new PermanentFailure(error.message) : error;
    }
  },
  beforeFailed: (tx, { workspace_id: workspaceId }) => lockWorkspace(tx, workspaceId),
  async failed(tx, { clock }, { payload, reason }) {
    const found = await underWay(tx, payload);
    if (!found) return;
    const completed_at = clock().toISOString();
    const state: SyncState = { ...found.state, status: 'failed', completed_at, error: reason };
    await setSync(tx, found.row, { sync: JSON.stringify(state) });
  },
});

/** The sync of a job; `null` when it is over, or its integration was disconnected. */
async function underWay(
  db: Db,
  { workspace_id: workspaceId, integration_id: id, started_at }: z.output<typeof Payload>,
): Promise<{ row: IntegrationRow; state: SyncState } | null> {
  const row = await findIntegration(db, workspaceId, id);
  const state = row && syncOf(row);
  return row && state?.status === 'running' && state.started_at === started_at ? { row, state } : null;
}

/** A sync that is under way. */
interface Work {
  row: IntegrationRow;
  state: SyncState;
  provider: Provider & { sync: ProviderSync };
}

async function ask(context: WorkContext, { row, state, provider }: Work): Promise<SyncStep> {
  const credentials = await usableCredentials(context, provider, row);
  return provider.sync.step(
    {
      credentials,
      url: ingestUrl(context, row.id),
      hook: row.hook === null ? null : (JSON.parse(row.hook) as Hook),
    },
    {
      since: new Date(state.since),
      cursor: state.cursor,
      known: (dedupeKeys) => listKnownKeys(context.store.read, row, dedupeKeys),
    },
    toolsFor(context, row.provider),
  );
}

/** The integration was disconnected during a step, or another process has stored one: nothing of this one is stored. */
class Outdated extends Error {}

/** Stores the missing events that a step found, and the position, in one transaction. Throws `Outdated`. */
async function store(
  context: WorkContext,
  { row, state }: Work,
  { events, called, cursor }: SyncStep & { ok: true },
): Promise<void> {
  const missing = await withoutReceived(context, row, { events, since: state.since });
  await context.write(
    async (tx) => {
      await lockWorkspace(tx, row.workspace_id);
      let stored = 0;
      let lastEvent: string | null = null;
      for (const { event } of missing) {
        const recorded = await recordEvent(tx, context, {
          workspaceId: row.workspace_id,
          integration: { id: row.id, provider: row.provider },
          ...event,
          occurredAt: null,
        });
        if (recorded.duplicate) continue;
        stored += 1;
        lastEvent = lastEventText(recorded.row);
      }
      const isOver = cursor === null;
      const after: SyncState = {
        ...state,
        events: state.events + stored,
        called: state.called + called,
        error: null,
        cursor,
        ...(isOver ? { status: 'completed', completed_at: context.now.toISOString() } : {}),
      };
      const isStored = await setSync(tx, row, {
        sync: JSON.stringify(after),
        ...(isOver ? { last_synced_at: later(row.last_synced_at, state.started_at) } : {}),
        ...(lastEvent === null ? {} : { last_event: lastEvent }),
      });
      if (!isStored) throw new Outdated();
      if (row.problem !== null) await applyFinding(tx, context, { row, finding: { kind: 'synced' } });
    },
    { addsTo: row.workspace_id },
  );
}

/** Leaves out events that have already been received. */
async function withoutReceived(
  { store: { read } }: WorkContext,
  row: IntegrationRow,
  { events, since }: { events: readonly FoundEvent[]; since: string },
): Promise<readonly FoundEvent[]> {
  if (events.every(({ isSameEvent }) => isSameEvent === undefined)) return events;
  const texts = await listSummaries(read, row, { since, limit: SUMMARIES_MAX });
  const received = texts.map((text) => JSON.parse(text) as EventSummary);
  return events.filter(
    ({ isSameEvent }) => !(isSameEvent && received.some((summary) => isSameEvent(summary))),
  );
}

const later = (one: string | null, other: string) => (one !== null && one > other ? one : other);

/**
 * Ends a sync that the provider refused, because it would refuse again. A refused token also shows in the status of
 * the integration.
 */
async function refused(
  context: WorkContext,
  { row }: Work,
  { refused: what, reason }: SyncStep & { ok: false },
): Promise<never> {
  if (what === 'credentials')
    await recordFinding(context, { row, finding: { kind: 'refused', what, reason } });
  throw new PermanentFailure(reason);
}

/** Stores why the sync makes no progress. The job is retried. */
async function noteError(
  { store: { write } }: WorkContext,
  { row, state }: Work,
  error: string,
): Promise<void> {
  await write((tx) => setSync(tx, row, { sync: JSON.stringify({ ...state, error }) }));
}
