import { expect, it } from 'vitest';
import { bytesOf, encode, Encoded, type JsonPiece, stringify } from './encoded.ts';

it.each<[string, JsonPiece[], number]>([
  ['nothing', [], 0],
  ['ASCII', ['abc'], 3],
  ['a character of three bytes', ['€'], 3],
  ['a character of two bytes', ['é'], 2],
  ['one beyond 16 bits', ['😀'], 4],
  ['bytes', [Buffer.from('€')], 3],
  ['both', ['{"a":', Buffer.from('"€"'), '}'], 11],
])('%s has its bytes', (_, pieces, bytes) => {
  expect(bytesOf(pieces)).toBe(bytes);
  expect(new Encoded(pieces).bytes).toBe(bytes);
});

it.each<[string, unknown, string]>([
  ['an object', { a: 1 }, '{"a":1}'],
  ['null', null, 'null'],
  ['a text already', new Encoded(['{"a":', '1.0', ',"a":2}']), '{"a":1.0,"a":2}'],
  ['a text that is partly bytes', new Encoded(['["', Buffer.from('€'), '"]']), '["€"]'],
])('%s is written as it is', (_, value, text) => {
  expect(stringify(value)).toBe(text);
  const { pieces, bytes } = encode(value);
  expect([pieces.join(''), bytes]).toEqual([text, Buffer.byteLength(text)]);
});
