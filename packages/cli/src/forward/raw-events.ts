import type { Transport } from '@hubline/sdk';

/** The JSON of streamed events as it came in. */
export interface RawEvents {
  readonly transport: Transport;
  /** The source text of an event that the stream has given, once. */
  take(id: string): string | undefined;
}

/** Listens in on a transport: the SDK gives parsed events, and a delivery must contain the payload byte for byte. */
export function rawEvents(inner: Transport): RawEvents {
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

/** Passes chunks on, and tells each message of the stream: HTML standard, "Server-sent events". */
async function* overhear(
  body: AsyncIterable<Uint8Array>,
  tell: (id: string, data: string) => void,
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
        if (data.length > 0) tell(id, data.join('\n'));
        data = [];
      }
    }
    yield chunk;
  }
}
