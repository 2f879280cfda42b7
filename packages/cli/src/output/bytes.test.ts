import { expect, it } from 'vitest';
import { formatBytes } from './bytes.ts';

it.each([
  [0, '0 B'],
  [312, '312 B'],
  [1_023, '1023 B'],
  [1_024, '1 KiB'],
  [2_150, '2.1 KiB'],
  [64 * 1_024, '64 KiB'],
  [8 * 1_024 ** 2, '8 MiB'],
  [33.25 * 1_024 ** 3, '33.3 GiB'],
  [5_000 * 1_024 ** 3, '5000 GiB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
