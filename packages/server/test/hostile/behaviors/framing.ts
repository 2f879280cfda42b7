import { type Behavior, drip, flood, head, notHttp, raw, says } from '../behavior.ts';

const MANY_HEADERS = Array.from({ length: 10_000 }, (_, index) => `x-${index}: ${index}`);
const TOO_LARGE = ['protocol', 'the response headers are larger than 32 KiB'] as const;
const CONTRADICTS = notHttp('it contradicts itself about its length');
const NOT_HTTP = notHttp('it does not begin with HTTP/');
const NO_LENGTH = notHttp('its Content-Length is not a number');
const BAD_NAME = notHttp('the name of a header is not valid');
const BAD_VALUE = notHttp('the value of a header is not valid');
const NO_RESPONSE = ['timeout', 'no response within 3 s'] as const;

/** Responses that lie about their length, break the grammar, or use another protocol. */
export const FRAMING: Behavior[] = [
  // Lengths.
  says('announces more than it sends', head('200 OK', 'content-length: 100') + 'part', {
    status: 200,
    body: 'part',
  }),
  says('sends more than it announced', head('200 OK', 'content-length: 2') + 'ok and more', {
    status: 200,
    body: 'ok',
  }),
  raw('answers twice', 'long', (s) =>
    s.write(head('200 OK', 'content-length: 1') + '1' + head('500 Oops', 'content-length: 6') + 'forged'),
  )({ status: 200, body: '1' }),
  says('sends two lengths', head('200 OK', 'content-length: 1', 'content-length: 2') + 'ab', {
    error: CONTRADICTS,
  }),
  says('sends a negative length', head('200 OK', 'content-length: -1') + 'ab', {
    error: NO_LENGTH,
  }),
  says('sends a length in hexadecimal', head('200 OK', 'content-length: 0x2') + 'ab', {
    error: NO_LENGTH,
  }),
  says(
    'sends a length that is too large for a number',
    head('200 OK', `content-length: ${'9'.repeat(40)}`) + 'ab',
    {
      error: notHttp('its Content-Length is too large'),
    },
  ),
  says(
    'sends a length beside chunks',
    head('200 OK', 'content-length: 1', 'transfer-encoding: chunked') + '0\r\n\r\n',
    {
      error: CONTRADICTS,
    },
  ),
  says('sends garbage for chunks', head('200 OK', 'transfer-encoding: chunked') + 'zz\r\n!!', {
    status: 200,
    body: '',
  }),
  says(
    'sends a chunk size that is too large for a number',
    head('200 OK', 'transfer-encoding: chunked') + `${'f'.repeat(20)}\r\nx`,
    {
      status: 200,
      body: '',
    },
  ),
  says(
    'sends a chunk that is longer than it says',
    head('200 OK', 'transfer-encoding: chunked') + '1\r\nabc\r\n0\r\n\r\n',
    {
      status: 200,
      body: 'a',
    },
  ),
  raw('sends a chunk extension without end', 'long', (s) => {
    s.write(`${head('200 OK', 'transfer-encoding: chunked')}1;`);
    flood(s, Buffer.alloc(16_384, 'e'));
  })({ status: 200, body: '' }),
  raw('sends trailers', 'long', (s) =>
    s.write(head('200 OK', 'transfer-encoding: chunked', 'trailer: x') + '2\r\nok\r\n0\r\nx: y\r\n\r\n'),
  )({ status: 200, body: 'ok' }),
  raw('sends trailers without end', 'long', (s) => {
    s.write(`${head('200 OK', 'transfer-encoding: chunked')}2\r\nok\r\n0\r\n`);
    flood(s, Buffer.from('x: y\r\n'.repeat(1_000)));
  })({ status: 200, body: 'ok' }),
  says('sends an unknown transfer coding', head('200 OK', 'transfer-encoding: magic') + 'abracadabra', {
    status: 200,
  }),

  // Headers.
  says('sends 10,000 headers', head('200 OK', ...MANY_HEADERS), { error: TOO_LARGE }),
  raw('sends the shortest headers without end', 'long', (s) => {
    s.write('HTTP/1.1 200 OK\r\n');
    flood(s, Buffer.from('a:\r\n'.repeat(16_384)));
  })({ error: TOO_LARGE }),
  says('sends a header of 64 KiB', head('200 OK', `x: ${'a'.repeat(65_536)}`), { error: TOO_LARGE }),
  says('sends a header name of 64 KiB', head('200 OK', `${'a'.repeat(65_536)}: x`), { error: TOO_LARGE }),
  says('sends a reason of 64 KiB', head(`200 ${'a'.repeat(65_536)}`), { error: TOO_LARGE }),
  says('sets a thousand cookies', head('200 OK', ...Array.from({ length: 1_000 }, () => 'set-cookie: a=b')), {
    status: 200,
  }),
  says('sends a header without a name', head('200 OK', ': x'), { error: BAD_NAME }),
  says('sends a header without a colon', head('200 OK', 'x'), { error: BAD_NAME }),
  says('sends a header with a space in its name', head('200 OK', 'x y: z'), {
    error: BAD_NAME,
  }),
  says('sends NUL in a header', head('200 OK', 'x: a\0b'), { error: BAD_VALUE }),
  says('sends a bare carriage return in a header', head('200 OK', 'x: a\rb'), {
    error: BAD_VALUE,
  }),
  says('sends a header over two lines', head('200 OK', 'x: a', ' b'), {
    error: notHttp('a header continues on a second line'),
  }),
  says('sends a header that is not ASCII', Buffer.from(head('200 OK', 'x: \u00FF\u00E9'), 'latin1'), {
    status: 200,
  }),
  says(
    'sends header names that objects have',
    head('200 OK', '__proto__: x', 'constructor: x', 'toString: x'),
    {
      status: 200,
    },
  ),
  says('ends its lines with line feeds alone', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok', {
    error: notHttp('a line does not end in CR LF'),
  }),
  raw('drips its headers', 'short', (s) => drip(s, 'H', 2_000))({ error: NO_RESPONSE }),
  raw(
    'drips headers without end',
    'short',
    (s) => (s.write('HTTP/1.1 200 OK\r\n'), drip(s, 'x-a: b\r\n', 20)),
  )({
    error: NO_RESPONSE,
  }),

  // Versions and protocols.
  says('speaks HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nold', { status: 200, body: 'old' }),
  says(
    'speaks HTTP/1.0 and keeps the connection',
    'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 3\r\n\r\nold',
    {
      status: 200,
      body: 'old',
    },
  ),
  says('speaks HTTP/0.9', '<html>hello</html>\n', { error: NOT_HTTP }),
  says('claims to speak HTTP/9.9', 'HTTP/9.9 200 OK\r\n\r\n', {
    error: notHttp('its version is neither 1.1 nor 1.0'),
  }),
  says('speaks HTTP/2', Buffer.from('000012040000000000000300000080000400010000000500ffffff', 'hex'), {
    error: NOT_HTTP,
  }),
  says('names its protocol in lower case', 'http/1.1 200 ok\r\n\r\n', { error: NOT_HTTP }),
  says('answers with a request', 'GET / HTTP/1.1\r\nhost: x\r\n\r\n', { error: NOT_HTTP }),
  says('speaks ICY', 'ICY 200 OK\r\n\r\n', { error: NOT_HTTP }),
  says('speaks SSH', 'SSH-2.0-OpenSSH_9.6\r\n', { error: NOT_HTTP }),
  says('speaks SMTP', '220 mail.example.com ESMTP\r\n', { error: NOT_HTTP }),
  says('sends garbage', Buffer.from('00ff10a0deadbeef0d0a0d0a', 'hex'), {
    error: NOT_HTTP,
  }),
  raw('sends garbage without end', 'long', (s) => flood(s, Buffer.alloc(65_536, 0xa5)))({
    error: NOT_HTTP,
  }),
];
