import type { Integration as Schema } from '@hubline/contract';
import type { z } from 'zod';
import type { EventRow } from '../../../db/events/event-row.ts';
import { storedSync, type SyncedRow } from '../../../db/integrations/stored-sync.ts';

type Shown = NonNullable<z.output<typeof Schema>['sync']>;

/** A sync as it is stored: the part that the API shows, and the position. */
export interface SyncState extends Shown {
  /** The position, in the provider's own form. */
  cursor: string | null;
}

export function syncOf(row: SyncedRow): SyncState | null {
  const stored = storedSync(row);
  return stored === null ? null : (JSON.parse(stored) as SyncState);
}

/** A sync as the API shows it. */
export function shown({ cursor: _, ...state }: SyncState): Shown {
  return state;
}

/** The last sync of an integration as the API shows it. */
export function shownSync(row: SyncedRow): Shown | null {
  const state = syncOf(row);
  return state && shown(state);
}

/** The last event of an integration, as it is stored. */
export const lastEventText = ({
  id,
  type,
  created_at,
}: Pick<EventRow, 'id' | 'type' | 'created_at'>): string =>
  JSON.stringify({ event_id: id, type, created_at });
