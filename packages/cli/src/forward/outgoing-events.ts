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
  const workspace = await ctx.workspace();
  for await (const event of client.events.stream(workspace, query, options)) {
    const streamed = raw.take(event.event_id);
    const text = event.payload_omitted ? await wholeText(client, workspace, event.event_id) : streamed;
    const payload = memberText(text ?? '{}', 'payload') ?? JSON.stringify(event.payload);
    const integrationType = await providerOf(event.integration_id);
    yield { ...eventEnvelope(event, { payload, integrationType }), eventId: event.event_id };
  }
}

/** The source text of an event that is too large for a stream. */
async function wholeText(client: Hubline, workspace: string, id: string): Promise<string> {
  const response = await client.events.get(workspace, id).asResponse();
  return response.text();
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
