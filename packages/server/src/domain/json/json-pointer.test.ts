import { expect, it } from 'vitest';
import { pointerPath, readPath, readPointer } from './json-pointer.ts';

const VALUE = {
  a: { b: [1, { c: null }] },
  'x/y': 'slash',
  'x~y': 'tilde',
  '~1': 'tilde and one',
  '/': 'a slash alone',
  '': { '': 'nothing' },
  text: 'abc',
};

it.each([
  ['', VALUE],
  ['/a/b/0', 1],
  ['/a/b/1/c', null],
  ['/x~1y', 'slash'],
  ['/x~0y', 'tilde'],
  // `~01` is a tilde and a one, and no slash.
  ['/~01', 'tilde and one'],
  ['/~1', 'a slash alone'],
  ['/', VALUE['']],
  ['//', 'nothing'],
  ['/a/b/2', undefined],
  ['/a/b/00', undefined],
  ['/a/b/01', undefined],
  ['/a/b/-', undefined],
  ['/a/b/length', undefined],
  ['/a/b/1/c/d', undefined],
  ['/text/0', undefined],
  ['/text/length', undefined],
  ['/toString', undefined],
  ['/__proto__', undefined],
  ['/a/constructor/name', undefined],
])('%j leads to %j', (pointer, found) => {
  expect(readPointer(VALUE, pointer)).toBe(found);
  expect(readPath(VALUE, pointerPath(pointer))).toBe(found);
});

it.each([[null], [undefined], ['a'], [1]])('nothing is in %j', (value) => {
  expect(readPointer(value, '/a')).toBeUndefined();
});
