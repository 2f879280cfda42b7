import { expect, test } from 'vitest';
import { parseJson } from './json-body.ts';

const listOf = (element: string, count: number) => `[${`${element},`.repeat(count - 1)}${element}]`;

test('a large text with few parts is read as a whole', () => {
  const text = `{"items": ${listOf(`"${'x'.repeat(1_000)}"`, 8_000)}, "last": 1}`;
  expect(parseJson(text)).toMatchObject({ ok: true, isSketch: false, value: { last: 1 } });
});

test('of a large text with very many parts the value is a sketch, and the text is kept', () => {
  const text = ` {"id": "a", "items": ${listOf('{"a":1,"b":[1,2,3]}', 400_000)}, "last": 1}`;
  const json = parseJson(text);
  expect(json).toMatchObject({ ok: true, isSketch: true, text });
  const { id, items, last } = (json as unknown as { value: { id: string; items: unknown[]; last: number } })
    .value;
  expect({ id, first: items[0], last }).toEqual({ id: 'a', first: { a: 1, b: [1, 2, 3] }, last: 1 });
  expect(items.length).toBeLessThan(2_000);
});

test('a text of up to 1 MiB is read as a whole, however many parts it has', () => {
  const json = parseJson(listOf('[]', 300_000));
  expect(json).toMatchObject({ ok: true, isSketch: false });
  expect((json as unknown as { value: unknown[] }).value).toHaveLength(300_000);
});

test('a large text with very many parts that is not JSON is refused as any other', () => {
  expect(parseJson(`${listOf('{"a":1}', 400_000)}]`)).toEqual({ ok: false, issue: 'is not JSON' });
});
