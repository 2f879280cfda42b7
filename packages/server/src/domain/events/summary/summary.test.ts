import { expect, it } from 'vitest';
import { oneLine, TEXT_MAX } from './summary.ts';

const KEY = `SG.${'a1'.repeat(11)}.${'b2'.repeat(20)}`;
const x = (count: number) => 'x'.repeat(count);
const smiles = (count: number) => '😀'.repeat(count);

it.each([
  ['as it is', 'Hello there', 'Hello there'],
  ['without space around it', '\t Hello \n', 'Hello'],
  ['with two spaces folded', 'a  b', 'a b'],
  ['with its space folded', 'a  b\n\nc\u00a0d\te', 'a b c d e'],
  ['without null characters', 'a\0b', 'ab'],
  ['well formed', 'a\ud800b', 'a\ufffdb'],
  ['of nothing', ' \n ', ''],
  ['of 280 characters', x(TEXT_MAX), x(280)],
  ['of 281, which is cut', x(TEXT_MAX + 1), `${x(279)}…`],
  ['of 280 characters of two units', smiles(280), smiles(280)],
  ['of 281, which is cut between two', smiles(281), `${smiles(279)}…`],
  ['of 1,001 characters', x(1_001), `${x(279)}…`],
  // More than what is kept is looked at: a secret that is cut would not look like one.
  [
    'of secrets, of which 1,000 characters are looked at',
    `${KEY} `.repeat(20),
    `${Array(15).fill('[redacted]').join(' ')}…`,
  ],
  ['without a secret that reaches beyond 300', `${x(269)} ${KEY}`, `${x(269)} [redacted]`],
  ['without a secret that is cut', `${x(274)} ${KEY} ${x(50)}`, `${x(274)} [red…`],
  ['without a secret that is cut, before a long text', `${x(270)} ${KEY} ${x(2_000)}`, `${x(270)} [redacte…`],
])('a line %s', (_, text, line) => {
  expect(oneLine(text)).toBe(line);
});
