import { decodeText } from './read-text.ts';

/** What a reader of the stream wants to know beside its messages. */
export interface StreamSettings {
  /** A message is dropped with an error when it grows beyond this, in characters. */
  readonly maxLength: number;
  /** The server's own wish for the pause before a reconnect, in milliseconds. */
  readonly onRetry: (ms: number) => void;
  /** Called with every id as it becomes valid, also by messages without data. */
  readonly onId: (id: string) => void;
}

/**
 * The data of server-sent events, parsed as the HTML standard says, whatever the name of the event; an unfinished message
 * at the end is dropped.
 */
export async function* parseEvents(
  chunks: AsyncIterable<Uint8Array>,
  settings: StreamSettings,
): AsyncGenerator<string> {
  let id: string | null = null;
  let data: string[] = [];
  let length = 0;
  for await (const line of lines(chunks, settings.maxLength)) {
    if (line === '') {
      if (id !== null) settings.onId(id);
      if (data.length > 0) yield data.join('\n');
      data = [];
      length = 0;
      continue;
    }
    const [, field, value = ''] = /^([^:]*)(?::\x20?(.*))?$/su.exec(line) ?? [];
    length += value.length;
    if (length > settings.maxLength) throw new RangeError('A message is too long.');
    if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) settings.onRetry(Number(value));
  }
}

/** Lines ending in LF, CR or CRLF, wherever the chunks are cut. Each character is looked at once. */
async function* lines(chunks: AsyncIterable<Uint8Array>, maxLength: number): AsyncGenerator<string> {
  let unfinished = '';
  let afterCR = false;
  for await (const decoded of decodeText(chunks)) {
    const text = afterCR && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    afterCR = decoded.endsWith('\r');
    const [first = '', ...rest] = text.split(/\r\n|\n|\r/);
    unfinished += first;
    for (const next of rest) {
      yield unfinished;
      unfinished = next;
    }
    if (unfinished.length > maxLength) throw new RangeError('A line is too long.');
  }
}
