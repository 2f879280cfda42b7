import type { Hubline } from '@hubline/sdk';
import type { Context } from '../context.ts';
import { samples } from '../samples/samples.ts';
import { triggerData } from '../samples/trigger-data.ts';
import type { Candidate } from './complete.ts';

/** The number of candidates that fits on a screen. */
const MOST = 50;

type Fetch = (client: Hubline, ctx: Context) => Promise<readonly Candidate[]>;

/** Lists of the API, by the name of the argument or flag. */
const fetchers: Readonly<Record<string, Fetch>> = {
  workspace: async (client, { signal }) =>
    (await client.me.get({ signal })).memberships.map(({ slug, name }) => ({ word: slug, summary: name })),
  member: async (client, ctx) =>
    (await client.members.list(await ctx.workspace(), { limit: MOST }, { signal: ctx.signal })).data.map(
      ({ email, role }) => ({ word: email, summary: role }),
    ),
  provider: async (client, { signal }) =>
    (await client.integrations.listProviders({ limit: MOST }, { signal })).data.map(({ provider, name }) => ({
      word: provider,
      summary: name,
    })),
  integration: async (client, ctx) =>
    (await client.integrations.list(await ctx.workspace(), { limit: MOST }, { signal: ctx.signal })).data.map(
      ({ integration_id, provider, status }) => ({ word: integration_id, summary: `${provider}, ${status}` }),
    ),
  event: async (client, ctx) =>
    (await client.events.list(await ctx.workspace(), { limit: MOST }, { signal: ctx.signal })).data.map(
      ({ event_id, type, source }) => ({ word: event_id, summary: `${type} from ${source}` }),
    ),
  webhook: async (client, ctx) =>
    (
      await client.webhooks.list({ workspace_id: await ctx.workspace(), limit: MOST }, { signal: ctx.signal })
    ).data.map(({ id, url, status }) => ({ word: id, summary: `${url}, ${status}` })),
  delivery: async (client, ctx) =>
    (await client.deliveries.list(await ctx.workspace(), { limit: MOST }, { signal: ctx.signal })).data.map(
      ({ id, event_type, status }) => ({ word: id, summary: `${event_type}, ${status}` }),
    ),
  key: async (client, ctx) =>
    (await client.apiKeys.list(await ctx.workspace(), { limit: MOST }, { signal: ctx.signal })).data.map(
      ({ id, name, status }) => ({ word: id, summary: `${name}, ${status}` }),
    ),
};

/** The IDs or names of things of a kind. Throws if the API cannot be asked. */
export async function thingsOf(ctx: Context, kind: string): Promise<readonly Candidate[]> {
  if (kind === 'context') {
    const { contexts } = await ctx.config();
    return Object.entries(contexts).map(([word, { base_url }]) => ({ word, summary: base_url }));
  }
  if (kind === 'type') {
    return [...samples, ...Object.keys(triggerData).map((type) => ({ type, summary: 'only with --to' }))].map(
      ({ type, summary }) => ({ word: type, summary }),
    );
  }
  const fetch = Object.hasOwn(fetchers, kind) ? fetchers[kind] : undefined;
  return fetch ? fetch(await ctx.client(), ctx) : [];
}
