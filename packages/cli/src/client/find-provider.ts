import { LIMITS } from '@hubline/contract/constants';
import type { Provider } from '@hubline/contract/types';
import type { Context } from '../context.ts';
import { CommandError } from '../errors.ts';

/** A provider by its key. */
export async function findProvider(ctx: Context, key: string): Promise<Provider> {
  const client = await ctx.client();
  for await (const provider of client.integrations.listProviders(
    { limit: LIMITS.pageMax },
    { signal: ctx.signal },
  )) {
    if (provider.provider === key) return provider;
  }
  throw new CommandError('not_found', `There is no provider "${key}".`, 'See: hubline provider list');
}
