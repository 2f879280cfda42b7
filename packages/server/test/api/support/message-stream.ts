import { HEADERS } from '@hubline/contract';
import { expect, onTestFinished } from 'vitest';
import type { Api } from './api.ts';
import { until } from './until.ts';

/** A message of a stream. */
export interface StreamedMessage<Data> {
  id: string;
  name: string;
  data: Data;
  /** The `data` fields as received. */
  text: string;
}

export interface MessageStream<Data> {
  response: Response;
  messages: StreamedMessage<Data>[];
  /** Resolves when the server ends the stream. */
  ended: Promise<void>;
  close(): void;
}

interface Opening {
  query?: Record<string, string> | undefined;
  lastEventId?: string | undefined;
}

/** Opens a stream as `EventSource` does, and waits until it is connected. */
export async function openStream<Data>(
  api: Api,
  path: string,
  { query = {}, lastEventId }: Opening = {},
): Promise<MessageStream<Data>> {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const response = await fetch(`${api.baseUrl}${path}?${new URLSearchParams(query).toString()}`, {
    signal: gone.signal,
    headers: {
      Authorization: `Bearer ${api.key}`,
      ...(lastEventId === undefined ? {} : { [HEADERS.lastEventId]: lastEventId }),
    },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const messages: StreamedMessage<Data>[] = [];
  let connected = false;
  const ended = (async () => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        if (block.startsWith(':')) {
          connected = true;
          continue;
        }
        const field = (name: string) =>
          block
            .split('\n')
            .filter((line) => line.startsWith(`${name}: `))
            .map((line) => line.slice(name.length + 2))
            .join('\n');
        const data = field('data');
        messages.push({ id: field('id'), name: field('event'), data: JSON.parse(data) as Data, text: data });
      }
    }
  })();
  ended.catch(() => {});
  await until('the stream', () => connected);
  return { response, messages, ended, close: () => gone.abort() };
}
