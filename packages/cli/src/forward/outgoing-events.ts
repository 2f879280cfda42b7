import type { Hubline, StreamOptions } from '@hubline/sdk';
import { createClient } from '../client/create-client.ts';
import { transportFor } from '../client/transport.ts';
import { requireApiKey } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { eventEnvelope, type Outgoing } from './envelope.ts';
import { memberText } from './member-text.ts';
import { rawEvents } from './raw-events.ts';

interface Query {
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  readonly since?: string | undefined;
}

/** The events of the workspace as the server's engine would deliver them, as they come and over lost connections. */
export async function* outgoingEvents(
  ctx: Context,
  query: Query,
  options: StreamOptions,
): AsyncGenerator<Outgoing & { readonly eventId: string }> {
  const settings = await ctx.settings();
  const raw = rawEvents(await transportFor(ctx.env, settings.baseUrl.value));
  const client = await createClient(ctx, {
    baseURL: settings.baseUrl.value,
    apiKey: requireApiKey(settings),
    transport: raw.transport,
  });
  const providerOf = providers(client, ctx.signal);
  for await (const event of client.events.stream(await ctx.workspace(), query, options)) {
    const payload = memberText(raw.take(event.event_id) ?? '{}', 'payload') ?? JSON.stringify(event.payload);
    const integrationType = await providerOf(event.integration_id);
    yield { ...eventEnvelope(event, { payload, integrationType }), eventId: event.event_id };
  }
}

/** The provider of each integration, asked for once; what was published without one comes from `api`. */
function providers(client: Hubline, signal: AbortSignal): (id: string | null) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  return (id) => {
    if (id === null) return Promise.resolve('api');
    const asking =
      known.get(id) ??
      client.integrations.get(id, { signal }).then(
        ({ provider }) => provider,
        // It may have been disconnected since: then its events outlive it.
        () => 'unknown',
      );
    known.set(id, asking);
    return asking;
  };
}
