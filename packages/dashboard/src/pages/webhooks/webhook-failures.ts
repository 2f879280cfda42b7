import type { Delivery } from '@hubline/sdk';
import { client } from '../../api/client.ts';

const LIMIT = 100;

export interface LastFailures {
  /** The delivery of each webhook that failed last. */
  readonly byWebhook: ReadonlyMap<string, Delivery>;
  /** Since when this knows all of them; `null` for ever. */
  readonly completeSince: string | null;
}

/** The last failure of each webhook, from one request: the newest failed deliveries of the workspace. */
export async function lastFailures(workspaceId: string, signal: AbortSignal): Promise<LastFailures> {
  const page = await client.deliveries.list(workspaceId, { status: 'failed', limit: LIMIT }, { signal });
  // What came later may fail earlier; the last of a webhook is the one that stays.
  const failures = page.data.toSorted((a, b) => failedAt(a).localeCompare(failedAt(b)));
  const byWebhook = new Map(failures.map((delivery) => [delivery.webhook_id, delivery]));
  return {
    byWebhook,
    completeSince: page.nextCursor === null ? null : (page.data.at(-1)?.created_at ?? null),
  };
}

/** When a delivery failed. */
export const failedAt = ({ completed_at, created_at }: Delivery): string => completed_at ?? created_at;
