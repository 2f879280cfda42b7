import { expect, it } from 'vitest';
import { requestBytes, type RequestParts } from './request-bytes.ts';

const URL_CALLED = new URL('https://receiver.test:8443/a%20b/?q=1');

const textOf = (parts: Partial<RequestParts>): string =>
  requestBytes({ method: 'POST', url: URL_CALLED, headers: {}, body: null, ...parts })
    .map((part) => part.toString('latin1'))
    .join('');

it('writes a request with its body', () => {
  const headers = { 'Content-Type': 'application/json', 'X-Latin': 'é' };
  expect(textOf({ headers, body: Buffer.from('{}') })).toBe(
    'POST /a%20b/?q=1 HTTP/1.1\r\nHost: receiver.test:8443\r\nConnection: keep-alive\r\n' +
      'Content-Type: application/json\r\nX-Latin: \xE9\r\nContent-Length: 2\r\n\r\n{}',
  );
});

it('announces a body only if the method may have one', () => {
  expect(textOf({ method: 'GET' })).not.toContain('Content-Length');
  expect(textOf({ method: 'HEAD' })).not.toContain('Content-Length');
  expect(textOf({ method: 'DELETE' })).toContain('Content-Length: 0\r\n');
});

it('copies no long body', () => {
  const body = Buffer.alloc(100_000);
  const request = { method: 'POST', url: URL_CALLED, headers: {}, body };
  expect(requestBytes(request)[1]).toBe(body);
  expect(requestBytes({ ...request, body: body.subarray(0, 1_000) })).toHaveLength(1);
});

it.each<[name: string, value: string]>([
  ['x-a', 'b\r\nx-evil: 1'],
  ['x-a', 'b\0'],
  ['x-a', '😀'],
  ['x a', 'b'],
  ['', 'b'],
  ['x-a:', 'b'],
  ['Host', 'elsewhere.test'],
  ['Content-Length', '5'],
  ['transfer-encoding', 'chunked'],
  ['Connection', 'close'],
  ['Expect', '100-continue'],
])('refuses the header %j: %j', (name, value) => {
  expect(() => textOf({ headers: { [name]: value } })).toThrow(
    expect.objectContaining({ code: 'ERR_INVALID_REQUEST' }),
  );
});
