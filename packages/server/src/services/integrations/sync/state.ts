import type { Integration as Schema } from '@hubline/contract';
import type { z } from 'zod';
import type { EventRow } from '../../../db/events/event-row.ts';
import type { IntegrationRow } from '../../../db/integrations/integrations.ts';

type Shown = NonNullable<z.output<typeof Schema>['sync']>;

/** A sync as it is stored: the part that the API shows, and the position. */
export interface SyncState extends Shown {
  /** The position, in the provider's own form. */
  cursor: string | null;
}

export const syncOf = ({ catch_up: stored }: Pick<IntegrationRow, 'catch_up'>): SyncState | null =>
  stored === null ? null : (JSON.parse(stored) as SyncState);

/** The last sync of an integration as the API shows it. */
export function shownSync(row: Pick<IntegrationRow, 'catch_up'>): Shown | null {
  const state = syncOf(row);
  if (state === null) return null;
  const { cursor: _, ...shown } = state;
  return shown;
}

/** The last event of an integration, as it is stored. */
export const lastEventText = ({
  id,
  type,
  created_at,
}: Pick<EventRow, 'id' | 'type' | 'created_at'>): string =>
  JSON.stringify({ event_id: id, type, created_at });
