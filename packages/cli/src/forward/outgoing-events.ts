import type { Hubline, StreamOptions, Transport } from '@hubline/sdk';
import { createClient, transportFor } from '../client/create-client.ts';
import { requireApiKey } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { eventEnvelope, memberText, type Outgoing } from './envelope.ts';

/** The JSON of streamed events as it came in. */
interface RawEvents {
  readonly transport: Transport;
  /** Returns the source text of a streamed event, once. */
  take(id: string): string | undefined;
}

/** Keeps the text of streamed events: the SDK gives parsed events, but a delivery must contain the payload byte for byte. */
function rawEvents(inner: Transport): RawEvents {
  const texts = new Map<string, string>();
  return {
    take: (id) => {
      const text = texts.get(id);
      texts.delete(id);
      return text;
    },
    transport: async (request) => {
      const response = await inner(request);
      const streams = response.headers['content-type']?.startsWith('text/event-stream') === true;
      if (!streams || response.body === null) return response;
      return { ...response, body: overhear(response.body, (id, data) => texts.set(id, data)) };
    },
  };
}

/** Passes chunks on, and reports each message of the stream: HTML standard, "Server-sent events". */
async function* overhear(
  body: AsyncIterable<Uint8Array>,
  onMessage: (id: string, data: string) => void,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let rest = '';
  let id = '';
  let data: string[] = [];
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.map((text) => text.replace(/\r$/, ''))) {
      if (line.startsWith('id:')) id = line.slice(3).trimStart();
      else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
      else if (line === '') {
        if (data.length > 0) onMessage(id, data.join('\n'));
        data = [];
      }
    }
    yield chunk;
  }
}

interface Query {
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  readonly since?: string | undefined;
}

/** The events of the workspace as the server's engine would deliver them, as they come, even after a lost connection. */
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

/** The provider of each integration, which is asked for once; events that were published without an integration come from `api`. */
function providers(client: Hubline, signal: AbortSignal): (id: string | null) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  return (id) => {
    if (id === null) return Promise.resolve('api');
    const asking =
      known.get(id) ??
      client.integrations.get(id, { signal }).then(
        ({ provider }) => provider,
        // The integration may have been removed since; its events remain. After any other error, the next event asks again.
        (error: { readonly status?: number }) => {
          if (error.status !== 404) known.delete(id);
          return 'unknown';
        },
      );
    known.set(id, asking);
    return asking;
  };
}
