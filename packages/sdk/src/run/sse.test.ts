import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseEvents } from './sse.ts';

async function parse(text: string, cuts: number[] = []) {
  const bytes = new TextEncoder().encode(text);
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  const chunks = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
  const position = { lastEventId: 'evt_0', reconnectMs: 0 };
  const events: [id: string, data: string][] = [];
  for await (const data of parseEvents(ReadableStream.from(chunks), 1_000, position))
    events.push([position.lastEventId, data]);
  return { events, ...position };
}

it('follows the HTML standard', async () => {
  const text =
    '\uFEFF: comment\n\ndata\n\ndata:one\ndata: two\ndata:  three\nid: 1\nevent: e\n\nid: 2\n\n' +
    'retry: 5\nretry: x\nunknown: y\nid: a\0b\ndata: {"x": 1}\n\ndata: unfinished';
  expect(await parse(text)).toEqual({
    events: [
      ['evt_0', ''],
      ['1', 'one\ntwo\n three'],
      ['2', '{"x": 1}'],
    ],
    lastEventId: '2',
    reconnectMs: 5,
  });
  // An ID that a header cannot carry would end the stream at the next reconnect.
  expect(await parse('id: 1\n\nid: 二\ndata: x\n\n')).toEqual({
    events: [['1', 'x']],
    lastEventId: '1',
    reconnectMs: 0,
  });
  // The ID of a message without data counts, too.
  expect(await parse('id: 1\n\n: comment\n\nid: 2\ndata: unfinished')).toMatchObject({ lastEventId: '1' });
});

it('reads the same events whatever the line endings and however the bytes are cut', async () => {
  const end = fc.constantFrom('\n', '\r', '\r\n');
  const data = fc.stringMatching(/^[a-zé{}:"😀 ]{0,8}$/u);
  await fc.assert(
    fc.asyncProperty(
      fc.array(data, { maxLength: 6 }),
      end,
      fc.array(fc.nat(), { maxLength: 8 }),
      async (all, eol, cuts) => {
        const text = all.map((one, id) => `id:${id}${eol}data: ${one}${eol}${eol}`).join('');
        const { events } = await parse(text, cuts);
        expect(events).toEqual(all.map((one, id) => [String(id), one]));
      },
    ),
  );
});

it('gives up on a message that is too long, in one line or in many', async () => {
  await expect(parse(`data: ${'x'.repeat(2_000)}`)).rejects.toThrow(RangeError);
  await expect(parse(`data: ${'x'.repeat(600)}\ndata: ${'x'.repeat(600)}\n\n`)).rejects.toThrow(RangeError);
});
