import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseEvents } from './sse.ts';

async function parse(text: string, cuts: number[] = []) {
  const bytes = new TextEncoder().encode(text);
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  const chunks = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
  const ids: string[] = [];
  const retries: number[] = [];
  const events: string[] = [];
  const settings = {
    maxLength: 1_000,
    onId: (id: string) => void ids.push(id),
    onRetry: (ms: number) => void retries.push(ms),
  };
  for await (const event of parseEvents(ReadableStream.from(chunks), settings)) events.push(event);
  return { events, ids, retries };
}

it('follows the HTML standard', async () => {
  const text =
    '\uFEFF: comment\n\ndata\n\ndata:one\ndata: two\ndata:  three\nid: 1\nevent: e\n\nid: 2\n\n' +
    'retry: 5\nretry: x\nunknown: y\nid: a\0b\ndata: {"x": 1}\n\ndata: unfinished';
  expect(await parse(text)).toEqual({
    events: ['', 'one\ntwo\n three', '{"x": 1}'],
    ids: ['1', '2', '2'],
    retries: [5],
  });
});

it('reads the same events whatever the line ends and however the bytes are cut', async () => {
  const end = fc.constantFrom('\n', '\r', '\r\n');
  const data = fc.stringMatching(/^[a-zé{}:"😀 ]{0,8}$/u);
  await fc.assert(
    fc.asyncProperty(
      fc.array(data, { maxLength: 6 }),
      end,
      fc.array(fc.nat(), { maxLength: 8 }),
      async (all, eol, cuts) => {
        const text = all.map((one, id) => `id:${id}${eol}data: ${one}${eol}${eol}`).join('');
        const { events, ids } = await parse(text, cuts);
        expect(events).toEqual(all);
        expect(ids).toEqual(all.map((_, id) => String(id)));
      },
    ),
  );
});

it('gives up on a message that is too long, in one line or in many', async () => {
  await expect(parse(`data: ${'x'.repeat(2_000)}`)).rejects.toThrow('too long');
  await expect(parse(`data: ${'x'.repeat(600)}\ndata: ${'x'.repeat(600)}\n\n`)).rejects.toThrow('too long');
});
