import type { RunningServer, ServerConfig } from '@hubline/server';
import { createClient } from '../../client/create-client.ts';
import type { Context } from '../../context.ts';
import { makeSeeds } from '../seed/make-seeds.ts';
import { defaultPlan } from '../seed/plan.ts';

/** Who owns what is made. */
export const SEED_OWNER = 'owner@demo.test';
const EVENTS = 50;

/**
 * Fills the database of a server that nobody owns yet, as `hubline seed` does, and gives the owner's key. Where there is an owner already
 * it leaves everything alone: a server that is started again with the same flags just starts.
 */
export async function seedServer(
  ctx: Context,
  config: ServerConfig,
  { baseUrl, setupUrl }: Pick<RunningServer, 'baseUrl' | 'setupUrl'>,
): Promise<string | null> {
  if (setupUrl === null) {
    await ctx.note('The database is not empty: --seed leaves it as it is.');
    return null;
  }
  const { bootstrap } = await import('@hubline/server');
  const { api_key: apiKey } = await bootstrap(config, { email: SEED_OWNER });
  try {
    const client = await createClient(ctx, { baseURL: baseUrl, apiKey });
    for await (const { slug, members, events } of makeSeeds(ctx, client, defaultPlan(1, EVENTS))) {
      ctx.progress.clear();
      await ctx.note(`Made the workspace ${slug} with ${members} invitations and ${events} events.`);
    }
  } catch (error) {
    // There is an owner now, also after Ctrl-C: without the key nobody could go on.
    await ctx.warn(`Seeding stopped: ${(error as Error).message}`);
  }
  return apiKey;
}
