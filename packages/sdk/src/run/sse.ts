import type { StreamPosition } from '../core/engine.ts';
import { textOf } from './body.ts';
import { isHeaderValue } from './round-trip.ts';

/**
 * The data of server-sent events, parsed as the HTML standard says, whatever the name of the event. An unfinished message
 * at the end is dropped. Throws a `RangeError` for a message or a line of more than `maxLength` characters.
 */
export async function* parseEvents(
  chunks: AsyncIterable<Uint8Array>,
  maxLength: number,
  position: StreamPosition,
): AsyncGenerator<string> {
  let id = position.lastEventId;
  let data: string[] = [];
  let length = 0;
  for await (const line of lines(chunks, maxLength)) {
    if (line === '') {
      position.lastEventId = id;
      if (data.length > 0) yield data.join('\n');
      data = [];
      length = 0;
      continue;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? [];
    if ((length += value.length) > maxLength) throw new RangeError();
    // HTML standard: an ID with NUL is ignored. So is every other that no header can carry, or the stream could not be resumed.
    if (field === 'data') data.push(value);
    else if (field === 'id' && isHeaderValue(value)) id = value;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) position.reconnectMs = +value;
  }
}

/** Lines that end in LF, CR or CRLF, wherever the chunks are cut. Each character is read once. */
async function* lines(chunks: AsyncIterable<Uint8Array>, maxLength: number): AsyncGenerator<string> {
  let unfinished = '';
  let afterCR = false;
  for await (const decoded of textOf(chunks)) {
    const text = afterCR && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    afterCR = decoded.endsWith('\r');
    const [first = '', ...rest] = text.split(/\r\n|\n|\r/);
    unfinished += first;
    for (const next of rest) {
      yield unfinished;
      unfinished = next;
    }
    if (unfinished.length > maxLength) throw new RangeError();
  }
}
