import type { WebhookFilters, WebhookRateLimit } from '@hubline/contract/types';

/** The filters that were given; `undefined` for none. */
export function webhookFilters(flags: {
  readonly type: string[];
  readonly source: string[];
  readonly resource: string[];
}): WebhookFilters | undefined {
  const filters: WebhookFilters = {
    ...(flags.type.length > 0 && { event_types: flags.type }),
    ...(flags.source.length > 0 && { sources: flags.source }),
    ...(flags.resource.length > 0 && { resource_ids: flags.resource }),
  };
  return Object.keys(filters).length > 0 ? filters : undefined;
}

/** The rate limit of a flag: 0 is none, and no flag is no change. */
export function webhookRateLimit(perSecond: number | undefined): WebhookRateLimit | null | undefined {
  if (perSecond === undefined) return undefined;
  return perSecond === 0 ? null : { per_second: perSecond };
}
