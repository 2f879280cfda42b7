import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type Behavior, bytes, drip, flood, head, raw, says } from '../behavior.ts';

const LARGE = Buffer.alloc(65_536, 'a');
// The kept part of a body.
const KEPT = 'a'.repeat(4_096);

/** Bodies that never end, come slowly, are too large, are compressed, or are not text. */
export const BODIES: Behavior[] = [
  raw(
    'drips its body after 200',
    'medium',
    (s) => (s.write(head('200 OK')), drip(s, 'x', 20)),
  )({
    status: 200,
    body: /^x+$/,
  }),
  raw(
    'drips its body after 500',
    'medium',
    (s) => (s.write(head('500 Oops')), drip(s, 'x', 20)),
  )({
    status: 500,
    body: /^x+$/,
  }),
  raw('drips chunks', 'medium', (s) => {
    s.write(head('200 OK', 'transfer-encoding: chunked'));
    drip(s, '1\r\nx\r\n', 20);
  })({ status: 200, body: /^x+$/ }),
  raw('sends headers and then nothing', 'medium', (s) => s.write(head('200 OK', 'content-length: 5')))({
    status: 200,
    body: '',
  }),
  raw('announces a gigabyte and sends it', 'long', (s) => {
    s.write(head('200 OK', 'content-length: 1073741824'));
    flood(s, LARGE);
  })({ status: 200, body: KEPT }),
  raw(
    'sends without end after 200',
    'long',
    (s) => (s.write(head('200 OK')), flood(s, LARGE)),
  )({
    status: 200,
    body: KEPT,
  }),
  raw(
    'sends without end after 500',
    'long',
    (s) => (s.write(head('500 Oops')), flood(s, LARGE)),
  )({
    status: 500,
    body: KEPT,
  }),
  raw('sends chunks without end', 'long', (s) => {
    s.write(head('200 OK', 'transfer-encoding: chunked'));
    flood(s, Buffer.from(`4000\r\n${'a'.repeat(0x4000)}\r\n`));
  })({ status: 200, body: KEPT }),
  raw('sends the smallest chunks without end', 'long', (s) => {
    s.write(head('200 OK', 'transfer-encoding: chunked'));
    flood(s, Buffer.from('1\r\na\r\n'.repeat(4_000)));
  })({ status: 200, body: KEPT }),
  says(
    'sends a gzip bomb',
    bytes(head('200 OK', 'content-encoding: gzip'), gzipSync(Buffer.alloc(20_000_000))),
    { status: 200, body: /^.{1,4096}$/s },
  ),
  says(
    'sends a gzip bomb in chunks',
    bytes(
      head('200 OK', 'content-encoding: gzip', 'transfer-encoding: chunked'),
      ...[gzipSync(Buffer.alloc(20_000_000))].flatMap((bomb) => [
        Buffer.from(`${bomb.length.toString(16)}\r\n`),
        bomb,
        Buffer.from('\r\n0\r\n\r\n'),
      ]),
    ),
    { status: 200, body: /^.{1,4096}$/s },
  ),
  says(
    'sends a brotli bomb',
    bytes(head('200 OK', 'content-encoding: br'), brotliCompressSync(Buffer.alloc(20_000_000))),
    { status: 200, body: /^.{1,4096}$/s },
  ),
  says(
    'sends a bomb in a hundred wrappings',
    bytes(
      head('200 OK', `content-encoding: ${Array.from({ length: 100 }, () => 'deflate').join(', ')}`),
      deflateSync(Buffer.alloc(1_000_000)),
    ),
    { status: 200, body: /^.{1,4096}$/s },
  ),
  says('sends bytes that are not UTF-8', bytes(head('200 OK'), Buffer.from('61ff62c328', 'hex')), {
    status: 200,
    body: 'a\uFFFDb\uFFFD(',
  }),
  says('sends NUL bytes', head('200 OK') + 'a\0b\0', { status: 200, body: 'ab' }),
  says('sends half a pair of surrogates', bytes(head('200 OK'), Buffer.from('eda080', 'hex')), {
    status: 200,
    body: '\uFFFD\uFFFD\uFFFD',
  }),
  says('sends what terminals obey', head('200 OK') + '\u001B[2J\u001B]0;x\u0007', {
    status: 200,
    body: '\u001B[2J\u001B]0;x\u0007',
  }),
  says('sends a page with a script', head('500 Oops') + '<script>alert(1)</script>', {
    status: 500,
    body: '<script>alert(1)</script>',
  }),
  says('sends JSON as deep as it is long', head('200 OK') + '['.repeat(100_000), {
    status: 200,
    body: '['.repeat(4_096),
  }),
];
