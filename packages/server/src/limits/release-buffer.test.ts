import { expect, test } from 'vitest';
import { releaseBuffer } from './release-buffer.ts';

test('a buffer with memory of its own is empty at once', () => {
  const bytes = Buffer.allocUnsafeSlow(1024 * 1024);
  const before = process.memoryUsage().arrayBuffers;
  releaseBuffer(bytes);
  expect(bytes).toHaveLength(0);
  expect(process.memoryUsage().arrayBuffers).toBeLessThanOrEqual(before - 1024 * 1024);
});

test('a part of a buffer keeps its memory, which others may use', () => {
  const whole = Buffer.alloc(1024 * 1024, 'x');
  releaseBuffer(whole.subarray(0, 512 * 1024));
  expect(whole).toHaveLength(1024 * 1024);
});
