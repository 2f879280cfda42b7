import { expect, it } from 'vitest';
import { cut } from './cut.ts';

const smiles = (count: number) => '😀'.repeat(count);

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['', 3, ''],
  ['ab', 1, '…'],
  [smiles(3), 3, smiles(3)],
  [smiles(4), 3, `${smiles(2)}…`],
  ['a😀b', 3, 'a😀b'],
  ['ab😀c', 3, 'ab…'],
])('%j cut to %i is %j', (text, max, kept) => {
  expect(cut(text, max)).toBe(kept);
});
