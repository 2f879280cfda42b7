import { expect, it } from 'vitest';
import { soundParts } from './sound-parts.ts';

it.each<[wrong: PropertyKey[][], sound: unknown]>([
  [[], { a: 1, b: [{ c: 1, d: 2 }, 'x'] }],
  [[['a']], { b: [{ c: 1, d: 2 }, 'x'] }],
  [[['b', 0]], { a: 1, b: [undefined, 'x'] }],
  [
    [
      ['b', 0, 'c'],
      ['b', 1],
    ],
    { a: 1, b: [{ d: 2 }, undefined] },
  ],
  [
    [
      ['b', 0],
      ['b', 0, 'c'],
    ],
    { a: 1, b: [undefined, 'x'] },
  ],
  [
    [
      ['missing', 'too'],
      ['a', 'inside'],
      ['b', 7],
    ],
    { a: 1, b: [{ c: 1, d: 2 }, 'x'] },
  ],
  [[[]], undefined],
])('without %j', (wrong, sound) => {
  const body = { a: 1, b: [{ c: 1, d: 2 }, 'x'] };
  expect(soundParts(body, wrong)).toEqual(sound);
  expect(body).toEqual({ a: 1, b: [{ c: 1, d: 2 }, 'x'] });
});
