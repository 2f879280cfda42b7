import { describe, expect, it } from 'vitest';
import { measureJson } from './json-measure.ts';

const find = (text: string) => measureJson(text, { depth: 4, members: 3, freeForm: 'payload' }).excess;

describe('the bounds of a JSON text', () => {
  it.each([
    '',
    '{}',
    '[1, 2, 3]',
    '{"a": 1, "b": 2, "c": 3}',
    '[[[[]]]]',
    '[{"a": [1, 2, 3]}, {"b": [1, 2, 3]}, "[[[[[,,,,,"]',
    '{"payload": [1, 2, 3, 4, 5]}',
    '{"payload": {"a": [1, 2, 3, 4, 5], "b": 2, "c": 3, "d": 4}}',
    String.raw`{"p\u0061yload": [1, 2, 3, 4, 5]}`,
    '{"a": "payload", "b": [1, 2, 3]}',
  ])('hold for %s', (text) => {
    expect(find(text)).toBeNull();
  });

  it.each([
    ['[1, 2, 3, 4]', []],
    ['{"a": 1, "b": 2, "c": 3, "d": 4}', []],
    ['{"a": [1, 2, 3, 4]}', ['a']],
    ['{"a": {}, "b": {"c": [[], [1, 2, 3, 4]]}}', ['b', 'c', 1]],
    ['{"payload": [1, 2, 3, 4, 5], "a": [1, 2, 3, 4]}', ['a']],
    ['{"a": {"payload": 1, "b": [1, 2, 3, 4]}}', ['a', 'b']],
    // A value, not a name.
    ['["payload", [1, 2, 3, 4]]', [1]],
    ['{"a": "payload", "b": [1, 2, 3, 4]}', ['b']],
    [String.raw`{"a\"b": [1, 2, 3, 4]}`, ['a"b']],
    [String.raw`{"a\x": [1, 2, 3, 4]}`, [String.raw`"a\x"`]],
  ])('are exceeded by the members of %s', (text, path) => {
    expect(find(text)).toEqual({ of: 'members', path });
  });

  it.each(['[[[[[', '{"payload": [[[[', '{"a": {"a": {"a": {"a": {'])(
    'are exceeded by the depth of %s',
    (text) => {
      expect(find(text)).toEqual({ of: 'depth' });
    },
  );

  it.each([
    ['{"a": 1, "a": 2}', ['a']],
    ['{"a": 1, "b": {"a": 1}, "a": 2}', ['a']],
    ['{"a": [{"b": 1}, {"c": 1, "c": 2}]}', ['a', 1, 'c']],
    ['{"payload": {}, "payload": {}}', ['payload']],
    [String.raw`{"a": 1, "\u0061": 2}`, ['a']],
    [String.raw`{"a\"": 1, "a\u0022": 2}`, ['a"']],
    ['{"": 1, "": 2}', ['']],
    ['{"__proto__": 1, "__proto__": 2}', ['__proto__']],
  ])('are exceeded by the name that %s has twice', (text, path) => {
    expect(find(text)).toEqual({ of: 'repeats', path });
  });

  it.each([
    '{"a": {"a": {"a": 1}}, "b": {"a": 1}}',
    '[{"a": 1}, {"a": 1}, {"a": 1}]',
    '{"a": "a", "b": ["a", "a"]}',
    '{"payload": {"a": 1, "a": 2}, "a": {"b": 1}}',
    '{"a": 1, "A": 2}',
  ])('hold for %s, which has no name twice', (text) => {
    expect(find(text)).toBeNull();
    expect(measureJson('{"a": 1, "a": 2}', { depth: 4 }).excess).toBeNull();
  });

  it.each([']]]]', '"', '{"a', '}{,,', '[,', '{"a": ]}', '\\"'])(
    'are not exceeded by %s, which is not JSON',
    (text) => {
      expect(find(text)).toBeNull();
    },
  );

  it('are found at the first excess, however much follows', () => {
    const members = '1,'.repeat(4);
    // The text after it is not read, although it exceeds the depth.
    expect(find(`{"a": [${members}${'['.repeat(100_000)}`)).toEqual({ of: 'members', path: ['a'] });
  });
});

it('a JSON text takes about as much heap as its values', () => {
  const heapOf = (text: string) => measureJson(text, { depth: 64 }).heapBytes;
  const objects = heapOf(`[${'{},'.repeat(99_999)}{}]`);
  expect(objects / 100_000).toBeGreaterThan(56);
  expect(objects / 100_000).toBeLessThan(120);
  expect(heapOf('"a text"')).toBeLessThan(100);
});
