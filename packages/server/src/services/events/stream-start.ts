import { type EndpointInput, isId } from '@hubline/contract';
import type { Context, WorkspaceContext } from '../../context.ts';
import { seqRange } from '../../db/core/queries/seq-range.ts';
import { lastEventSeq, seqOfEvent } from '../../db/events/events.ts';
import { invalid } from '../../domain/faults/fault.ts';

export type StreamQuery = EndpointInput<'events.stream'>['query'];

/** Finds the beginning of a stream: after the last event that the client has seen, after a time, or now. */
export async function streamStart(context: WorkspaceContext, query: StreamQuery, lastEventId: string | null) {
  const { workspaceId } = context.access;
  if (lastEventId !== null) {
    if (!isId('event', lastEventId)) throw invalid('Last-Event-ID', 'must be the ID of an event, evt_…');
    return seqOfEvent(context.store.read, workspaceId, lastEventId);
  }
  const { since } = query;
  if (since === undefined) return newestPosition(context, workspaceId);
  return (await seqRange(context.store.read, 'events', { since })).above ?? 0;
}

/** The position of the newest event of a workspace. */
export const newestPosition = ({ store }: Pick<Context, 'store'>, workspaceId: string): Promise<number> =>
  lastEventSeq(store.read, workspaceId);
