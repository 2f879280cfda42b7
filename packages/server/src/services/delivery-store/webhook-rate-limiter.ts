import type { Tx } from '../../db/core/schema.ts';
import { lockUsedUntil, setUsedUntil } from '../../db/webhooks/webhook-rate-limit.ts';
import type { WebhookRow } from '../../db/webhooks/webhooks.ts';
import { allowance, type TokenBucket, spend } from '../../domain/deliveries/token-bucket.ts';

/** The rate limit of one webhook, at one moment. */
export interface WebhookRateLimiter {
  /** Calls that may be made now. */
  calls: number;
  /** Uses up calls. Returns the end of the pause that follows, in milliseconds since the epoch; 0 for no pause. */
  spend(calls: number): Promise<number>;
}

const UNLIMITED: WebhookRateLimiter = { calls: Number.POSITIVE_INFINITY, spend: () => Promise.resolve(0) };

/**
 * Opens the rate limiter of a webhook in the transaction that claims its deliveries. Its state is stored, so that
 * several processes share one limit and a restart does not reset it. A webhook without a limit costs nothing.
 */
export async function openRateLimiter(
  tx: Tx,
  { webhook, now }: { webhook: Pick<WebhookRow, 'id' | 'rate_per_second'>; now: number },
): Promise<WebhookRateLimiter> {
  if (webhook.rate_per_second === null) return UNLIMITED;
  const bucket: TokenBucket = {
    perSecond: webhook.rate_per_second,
    usedUntil: await lockUsedUntil(tx, webhook.id),
  };
  return {
    calls: allowance(bucket, now).calls,
    async spend(calls) {
      const usedUntil = spend(bucket, calls, now);
      if (calls > 0) await setUsedUntil(tx, webhook.id, usedUntil);
      const next = allowance({ ...bucket, usedUntil }, now);
      return next.calls > 0 ? 0 : next.nextAt;
    },
  };
}
