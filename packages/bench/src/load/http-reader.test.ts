import { describe, expect, it } from 'vitest';
import { createHttpReader } from './http-reader.ts';

function readAll(chunks: readonly string[]): [head: string, body: string][] {
  const messages: [string, string][] = [];
  const read = createHttpReader((head, body) => messages.push([head, body.toString()]));
  for (const chunk of chunks) read(Buffer.from(chunk));
  return messages;
}

const POST = 'POST /hook/1 HTTP/1.1\r\nContent-Length: 2\r\n\r\nok';

describe('createHttpReader', () => {
  it('cuts a stream into messages wherever the chunks end', () => {
    const stream = POST + POST;
    for (let cut = 1; cut < stream.length; cut += 1) {
      const messages = readAll([stream.slice(0, cut), stream.slice(cut)]);
      expect(messages.map(([, body]) => body)).toEqual(['ok', 'ok']);
    }
  });

  it('reads a chunked body up to its last chunk', () => {
    const response = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n';
    expect(readAll([response.slice(0, 55), response.slice(55) + response])).toHaveLength(2);
  });

  it('ends a message without a body after its head', () => {
    expect(readAll(['GET / HTTP/1.1\r\nHost: a\r\n\r\n'])).toEqual([['GET / HTTP/1.1\r\nHost: a', '']]);
  });
});
