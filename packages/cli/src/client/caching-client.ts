import { join } from 'node:path';
import type { Hubline, Method } from '@hubline/sdk';
import { requireApiKey } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { answerCache } from './answer-cache.ts';
import { createClient } from './create-client.ts';

/** A client for one read that may be answered from what is kept. */
export async function cachingClient(ctx: Context, method: Method, maxAge: number): Promise<Hubline> {
  if (method !== 'GET')
    throw usageError('--cache is for GET: a write has to reach the server.', 'Leave it out.');
  if (ctx.cache === undefined) {
    throw usageError(
      'There is no place to keep answers.',
      'Set HOME or XDG_CACHE_HOME, or leave out --cache.',
    );
  }
  const settings = await ctx.settings();
  return createClient(ctx, {
    baseURL: settings.baseUrl.value,
    apiKey: requireApiKey(settings),
    middleware: [answerCache({ folder: join(ctx.cache, 'answers'), maxAge, now: ctx.now })],
  });
}
