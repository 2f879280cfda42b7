import type { Delivery, DeliveryRetryAll } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { useRefreshed } from '../../data/use-refreshed.ts';
import { useWorkspace } from '../../session/workspace.ts';

/** The newest of each state that are looked at: causes show in fewer. */
const READ_MAX = 300;
const REFRESH_MS = 15_000;

/** Deliveries that failed or wait for a retry. */
export interface Failures {
  readonly items: readonly Delivery[];
  /** False if there are more than were looked at. */
  readonly complete: boolean;
}

/** Reads what failed and what waits for a retry, to group it by cause. It begins anew when `key` changes. */
export function useFailures(filters: () => Omit<DeliveryRetryAll, 'statuses'>, key: string) {
  const { id } = useWorkspace();
  const read = async (status: 'failed' | 'retrying', signal: AbortSignal) =>
    client.deliveries.list(id, { ...filters(), status, limit: 100 }, { signal }).toArray({ limit: READ_MAX });
  return useRefreshed<Failures>(
    async (signal) => {
      const states = [await read('failed', signal), await read('retrying', signal)];
      return { items: states.flat(), complete: states.every(({ length }) => length < READ_MAX) };
    },
    ['deliveries', id, 'failures', key],
    { everyMs: REFRESH_MS },
  );
}
