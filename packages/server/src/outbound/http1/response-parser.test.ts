import { describe, expect, it } from 'vitest';
import { ResponseParser } from './response-parser.ts';

const MAX_BYTES = 100_000;

/** A response as a text: its status, its body, and what followed; or the reason why it was refused. */
function parse(pieces: readonly string[], { method = 'POST', closes = false } = {}): string {
  let seen = '';
  const parser = new ResponseParser(MAX_BYTES, {
    onHead: ({ status }) => (seen += `${status} `),
    onBody: (part) => (seen += part.toString('latin1')),
    onEnd: () => (seen += parser.isReusable ? ' | open' : ' | closed'),
  });
  parser.expect(method);
  try {
    for (const piece of pieces) parser.read(Buffer.from(piece, 'latin1'));
    if (closes) parser.close();
  } catch (error) {
    seen += ` ! ${(error as Error).message}`;
  }
  return seen;
}

const lines = (...given: string[]) => `${given.join('\r\n')}\r\n`;
const head = (...headers: string[]) => lines('HTTP/1.1 200 OK', ...headers, '');
const chunked = head('Transfer-Encoding: chunked');

const bytesOf = (text: string): string[] => [...text];

describe.each<[string, (text: string) => string[]]>([
  ['whole', (text) => [text]],
  ['in bytes', bytesOf],
  ['in pieces of seven', (text) => text.match(/.{1,7}/gs) ?? []],
])('a response that comes %s', (_how, cut) => {
  it.each<[what: string, response: string, expected: string]>([
    ['has the length that it announces', head('Content-Length: 2') + 'ok', '200 ok | open'],
    ['is empty', head('content-length: 0'), '200  | open'],
    ['may have no reason', lines('HTTP/1.1 201', 'content-length: 0', ''), '201  | open'],
    ['may have no headers', lines('HTTP/1.1 204 No Content', ''), '204  | open'],
    ['has no body after 304', lines('HTTP/1.1 304 Not Modified', 'content-length: 5', ''), '304  | open'],
    ['closes', head('Connection: close', 'Content-Length: 1') + 'x', '200 x | closed'],
    [
      'closes, among other options',
      head('connection: x, Close', 'content-length: 1') + 'x',
      '200 x | closed',
    ],
    ['of HTTP/1.0 closes', lines('HTTP/1.0 200 OK', 'content-length: 1', '') + 'x', '200 x | closed'],
    [
      'of HTTP/1.0 stays if it says so',
      lines('HTTP/1.0 200 OK', 'connection: Keep-Alive', 'content-length: 1', '') + 'x',
      '200 x | open',
    ],
    ['in chunks', chunked + '2\r\nok\r\nA\r\n0123456789\r\n0\r\n\r\n', '200 ok0123456789 | open'],
    [
      'in chunks of HTTP/1.0 closes',
      lines('HTTP/1.0 200 OK', 'connection: keep-alive', 'transfer-encoding: chunked', '') +
        '1\r\nx\r\n0\r\n\r\n',
      '200 x | closed',
    ],
    [
      'in chunks, after other codings',
      head('transfer-encoding: gzip, Chunked') + '1\r\nx\r\n0\r\n\r\n',
      '200 x | open',
    ],
    [
      'in chunks, with extensions and trailers',
      chunked + '2 ;a="b"\r\nok\r\n0;c\r\nx: y\r\nz: \r\n\r\n',
      '200 ok | open',
    ],
    [
      'comes after hints',
      lines('HTTP/1.1 100 Continue', '') +
        lines('HTTP/1.1 103 Early Hints', 'link: </a>', '') +
        head('content-length: 1') +
        'x',
      '200 x | open',
    ],
    [
      'comes after empty lines',
      '\r\n\n' + lines('HTTP/1.1 103 Early Hints', '') + '\r\n' + head('content-length: 1') + 'x',
      '200 x | open',
    ],
    ['has spaces around a value', head('content-length:\t 2 \t') + 'ok', '200 ok | open'],
    ['has an empty value', head('x:', 'content-length: 2') + 'ok', '200 ok | open'],

    ['begins with something else', 'SSH-2.0-OpenSSH_9.6\r\n', ' ! it does not begin with HTTP/'],
    ['is of another version', lines('HTTP/2.0 200 OK', ''), ' ! its version is neither 1.1 nor 1.0'],
    [
      'has a status of two digits',
      lines('HTTP/1.1 99 Short', ''),
      ' ! its status is not a number from 100 to 999',
    ],
    [
      'has a status of four digits',
      lines('HTTP/1.1 2000 OK', ''),
      ' ! its status is not a number from 100 to 999',
    ],
    ['has no status', lines('HTTP/1.1', ''), ' ! its version is neither 1.1 nor 1.0'],
    ['has a line with a line feed alone', 'HTTP/1.1 200 OK\nx: y\n\n', ' ! a line does not end in CR LF'],
    ['has a reason with a line feed', lines('HTTP/1.1 200 OK\nx: y', ''), ' ! a line does not end in CR LF'],
    ['has a header without a name', head(': x'), ' ! the name of a header is not valid'],
    ['has a header without a colon', head('x', 'a: b'), ' ! the name of a header is not valid'],
    ['has a space before a colon', head('content-length : 1'), ' ! the name of a header is not valid'],
    ['has a header over two lines', head('x: a', '\tb'), ' ! a header continues on a second line'],
    ['has NUL in a header', head('x: a\0b'), ' ! the value of a header is not valid'],
    ['has a carriage return in a header', head('x: a\rb'), ' ! the value of a header is not valid'],
    [
      'has two lengths',
      head('content-length: 1', 'content-length: 1') + 'x',
      ' ! it contradicts itself about its length',
    ],
    [
      'has a length and chunks',
      head('content-length: 1', 'transfer-encoding: chunked'),
      ' ! it contradicts itself about its length',
    ],
    ['has a list of lengths', head('content-length: 1, 1'), ' ! its Content-Length is not a number'],
    ['has a signed length', head('content-length: +1'), ' ! its Content-Length is not a number'],
    [
      'has an endless length',
      head(`content-length: ${'9'.repeat(20)}`),
      ' ! its Content-Length is too large',
    ],
    [
      'switches protocols',
      lines('HTTP/1.1 101 Switching Protocols', 'upgrade: ws', ''),
      ' ! ERR_PROTOCOL_SWITCH',
    ],

    ['has a chunk without a size', chunked + ';a\r\n', '200  ! a chunk has no valid size'],
    ['has a chunk with a signed size', chunked + '-1\r\n', '200  ! a chunk has no valid size'],
    ['has a chunk of an endless size', chunked + `${'f'.repeat(20)}\r\n`, '200  ! a chunk has no valid size'],
    [
      'has a chunk that is longer than its size',
      chunked + '1\r\nabc\r\n',
      '200 a ! a chunk is longer than its size',
    ],
    ['has a chunk with a line feed alone', chunked + '1\nx\r\n', '200  ! a line does not end in CR LF'],
    [
      'has a trailer with a line feed alone',
      chunked + '0\r\nx: y\n\r\n',
      '200  ! a line does not end in CR LF',
    ],
  ])('%s', (_what, response, expected) => {
    expect(parse(cut(response))).toBe(expected);
  });

  it.each<[what: string, response: string, expected: string]>([
    ['without a length ends with its connection', head() + 'all of it', '200 all of it | closed'],
    [
      'of an unknown coding ends with its connection',
      head('transfer-encoding: magic') + 'x',
      '200 x | closed',
    ],
    ['is cut off', head('content-length: 3') + 'ok', '200 ok ! ERR_CLOSED'],
    ['is cut off between its chunks', chunked + '2\r\nok\r\n', '200 ok ! ERR_CLOSED'],
    ['is cut off in its head', 'HTTP/1.1 200 OK\r\nx', ' ! ERR_CLOSED'],
    ['never comes', '', ' ! ERR_CLOSED'],
  ])('and then a closed connection: %s', (_what, response, expected) => {
    expect(parse(cut(response), { closes: true })).toBe(expected);
  });
});

describe('a response', () => {
  it('to HEAD has no body, whatever it announces', () => {
    expect(parse([head('content-length: 5')], { method: 'HEAD' })).toBe('200  | open');
  });

  it.each([
    [
      'a second response',
      head('content-length: 1') + '1' + head('content-length: 6') + 'forged',
      '200 1 | closed',
    ],
    ['a byte too many', chunked + '0\r\n\r\n\n', '200  | closed'],
  ])('followed by %s makes its connection useless', (_what, response, expected) => {
    expect(parse([response])).toBe(expected);
  });

  it.each([
    ['headers without end', 'HTTP/1.1 200 OK\r\n' + 'a:\r\n'.repeat(10_000), ' ! ERR_HEADERS_TOO_LARGE'],
    ['a reason without end', 'HTTP/1.1 200 ' + 'a'.repeat(40_000), ' ! ERR_HEADERS_TOO_LARGE'],
    [
      'a chunk extension without end',
      chunked + '1;' + 'e'.repeat(40_000),
      '200  ! a line between its chunks is too long',
    ],
    ['hints without end', lines('HTTP/1.1 103 Early Hints', '').repeat(10_000), ' ! ERR_RESPONSE_TOO_LONG'],
    ['trailers without end', chunked + '0\r\n' + 'x: y\r\n'.repeat(20_000), '200  ! ERR_RESPONSE_TOO_LONG'],
  ])('with %s is refused before it takes much memory', (_what, response, expected) => {
    expect(parse(response.match(/.{1,4096}/gs) ?? [])).toBe(expected);
  });

  it('tells for how long its connection stays', () => {
    const parser = new ResponseParser(MAX_BYTES, { onHead() {}, onBody() {}, onEnd() {} });
    const kept = [
      'Keep-Alive: timeout=5, max=100',
      'keep-alive: max=1,timeout=600',
      'keep-alive: x',
      'y: z',
    ].map((header) => {
      parser.expect('POST');
      parser.read(Buffer.from(head(header, 'content-length: 0')));
      return parser.keepAliveMs;
    });
    expect(kept).toEqual([5_000, 600_000, null, null]);
  });

  it('has its headers in order, with names in lower case', () => {
    let headers: readonly string[] = [];
    const parser = new ResponseParser(MAX_BYTES, {
      onHead: (seen) => ({ headers } = seen),
      onBody() {},
      onEnd() {},
    });
    parser.expect('GET');
    parser.read(Buffer.from(head('X-B: 1', 'x-a: \xFF', 'X-b:2', '__proto__: x'), 'latin1'));
    expect(headers).toEqual(['x-b', '1', 'x-a', '\xFF', 'x-b', '2', '__proto__', 'x']);
  });
});
