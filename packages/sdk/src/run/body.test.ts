import { expect, it } from 'vitest';
import { textOf } from './body.ts';

it('a body that ends inside a character ends with U+FFFD, and a whole character is one wherever it is cut', async () => {
  const bytes = new TextEncoder().encode('id,é');
  const chunks = (end: number) => ReadableStream.from([bytes.subarray(0, 4), bytes.subarray(4, end)]);
  expect(await Array.fromAsync(textOf(chunks(4)))).toEqual(['id,', '\ufffd']);
  expect(await Array.fromAsync(textOf(chunks(5)))).toEqual(['id,', 'é']);
});
