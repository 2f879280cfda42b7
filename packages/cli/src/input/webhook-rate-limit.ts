import type { WebhookRateLimit } from '@hubline/contract/types';

/** The rate limit of a flag: 0 is none, and no flag is no change. */
export function webhookRateLimit(perSecond: number | undefined): WebhookRateLimit | null | undefined {
  if (perSecond === undefined) return undefined;
  return perSecond === 0 ? null : { per_second: perSecond };
}
