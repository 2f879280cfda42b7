import { expect, it } from 'vitest';
import { atMostBytesOf, bytesOf, encode, Encoded, type JsonPiece, stringify } from './encoded.ts';

it.each<[string, JsonPiece[], number, number]>([
  ['nothing', [], 0, 0],
  ['ASCII', ['abc'], 3, 9],
  ['a character of three bytes', ['€'], 3, 3],
  ['a character of two bytes', ['é'], 2, 3],
  ['one beyond 16 bits', ['😀'], 4, 6],
  ['bytes', [Buffer.from('€')], 3, 3],
  ['both', ['{"a":', Buffer.from('"€"'), '}'], 11, 23],
])('%s has its bytes, and an estimate that is never less', (_, pieces, bytes, most) => {
  expect([bytesOf(pieces), atMostBytesOf(pieces)]).toEqual([bytes, most]);
});

it.each<[string, unknown, string]>([
  ['an object', { a: 1 }, '{"a":1}'],
  ['null', null, 'null'],
  ['a text already', new Encoded('{"a":', '1.0', ',"a":2}'), '{"a":1.0,"a":2}'],
  ['a text that is partly bytes', new Encoded('["', Buffer.from('€'), '"]'), '["€"]'],
])('%s is written as it is', (_, value, text) => {
  expect(stringify(value)).toBe(text);
  expect(encode(value).join('')).toBe(text);
});
