import { expect, it } from 'vitest';
import { textOf } from './body.ts';

it('a body that ends inside a character ends with U+FFFD, and a whole character is one wherever it is cut', async () => {
  const bytes = new TextEncoder().encode('id,é');
  const chunks = (end: number) => ReadableStream.from([bytes.subarray(0, 4), bytes.subarray(4, end)]);
  const read = async (end: number) => {
    const texts: string[] = [];
    for await (const text of textOf(chunks(end))) texts.push(text);
    return texts;
  };
  expect(await read(4)).toEqual(['id,', '\ufffd']);
  expect(await read(5)).toEqual(['id,', 'é']);
});
