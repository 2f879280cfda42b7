import type { Tx } from '../db/schema.ts';
import type { Dialect } from '../db/store.ts';
import { lockPace, setPace } from '../db/webhook-health.ts';
import type { WebhookRow } from '../db/webhooks.ts';
import { allowance, type Pace, spend } from '../domain/pace.ts';

/** What the rate limit of a webhook lets out now. */
export interface Pacer {
  calls: number;
  /** Notes that many calls; answers until when nothing more gets out, in milliseconds since the epoch, 0 for now. */
  spend(calls: number): Promise<number>;
}

const UNLIMITED: Pacer = { calls: Number.POSITIVE_INFINITY, spend: () => Promise.resolve(0) };

/**
 * Reads the pace of a webhook in the transaction that claims its deliveries. It lives in the database, so that several
 * processes keep to one limit and a restart does not begin a new one. A webhook without a limit costs nothing.
 */
export async function openPacer(
  tx: Tx,
  dialect: Dialect,
  { webhook, now }: { webhook: Pick<WebhookRow, 'id' | 'rate_per_second'>; now: number },
): Promise<Pacer> {
  if (webhook.rate_per_second === null) return UNLIMITED;
  const pace: Pace = {
    perSecond: webhook.rate_per_second,
    usedUntil: await lockPace(tx, dialect, webhook.id),
  };
  return {
    calls: allowance(pace, now).calls,
    async spend(calls) {
      const usedUntil = spend(pace, calls, now);
      if (calls > 0) await setPace(tx, webhook.id, usedUntil);
      const next = allowance({ ...pace, usedUntil }, now);
      return next.calls > 0 ? 0 : next.nextAt;
    },
  };
}
