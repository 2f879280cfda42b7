import { randomBytes } from 'node:crypto';
import type { RunningServer, ServerConfig } from '@hubline/server';
import { createClient } from '../../client/create-client.ts';
import type { Context } from '../../context.ts';
import { makeSeeds } from '../seed/make-seeds.ts';
import { defaultPlan } from '../seed/plan.ts';

/** Who owns what is made, and what proves it: the key to programs, the password to the dashboard. */
export interface SeedOwner {
  readonly email: string;
  readonly key: string;
  readonly password: string;
}

const EMAIL = 'owner@demo.test';
const EVENTS = 50;

/**
 * Fills the database of a server that nobody owns yet, as `hubline seed` does, and gives its owner. Where there is an owner already
 * it leaves everything alone: a server that is started again with the same flags just starts.
 */
export async function seedServer(
  ctx: Context,
  config: ServerConfig,
  { baseUrl, setupUrl }: Pick<RunningServer, 'baseUrl' | 'setupUrl'>,
): Promise<SeedOwner | null> {
  if (setupUrl === null) {
    await ctx.note('The database is not empty: --seed leaves it as it is.');
    return null;
  }
  const { bootstrap, setUserPassword } = await import('@hubline/server');
  const { api_key: key } = await bootstrap(config, { email: EMAIL });
  const password = randomBytes(12).toString('base64url');
  await setUserPassword(config, { email: EMAIL, password });
  try {
    const client = await createClient(ctx, { baseURL: baseUrl, apiKey: key });
    for await (const { slug, members, events } of makeSeeds(ctx, client, defaultPlan(1, EVENTS))) {
      ctx.progress.clear();
      await ctx.note(`Made the workspace ${slug} with ${members} invitations and ${events} events.`);
    }
  } catch (error) {
    // There is an owner now, also after Ctrl-C: without key and password nobody could go on.
    await ctx.warn(`Seeding stopped: ${(error as Error).message}`);
  }
  return { email: EMAIL, key, password };
}
