import type { WebhookFilters, WebhookRateLimit } from '@hubline/contract/types';
import type { Context } from '../context.ts';
import { readJsonObject } from './read-input.ts';

interface FilterFlags {
  readonly type: string[];
  readonly source: string[];
  readonly resource: string[];
  readonly conditions: string | undefined;
}

/** The filters that were given; `undefined` for none. */
export async function webhookFilters(ctx: Context, flags: FilterFlags): Promise<WebhookFilters | undefined> {
  const { conditions } = flags;
  const filters: WebhookFilters = {
    ...(flags.type.length > 0 && { event_types: flags.type }),
    ...(flags.source.length > 0 && { sources: flags.source }),
    ...(flags.resource.length > 0 && { resource_ids: flags.resource }),
    ...(conditions !== undefined && { conditions: await readJsonObject(ctx, conditions, '--conditions') }),
  };
  return Object.keys(filters).length > 0 ? filters : undefined;
}

/** The rate limit of a flag: 0 removes it, and without the flag nothing changes. */
export function webhookRateLimit(perSecond: number | undefined): WebhookRateLimit | null | undefined {
  if (perSecond === undefined) return undefined;
  return perSecond === 0 ? null : { per_second: perSecond };
}
