import { expect, it } from 'vitest';
import { formatBytes } from '../../src/data/formats/format-number.ts';

it.each([
  [0, '0 B'],
  [312, '312 B'],
  [1_024, '1 KiB'],
  [2_150, '2.1 KiB'],
  [64 * 1_024, '64 KiB'],
  [8 * 1_024 ** 2, '8 MiB'],
  [5_000 * 1_024 ** 3, '5,000 GiB'],
])('formats %d bytes as %s, like the limits', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
