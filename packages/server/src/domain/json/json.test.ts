import { expect, it } from 'vitest';
import { elementTexts, endOfString, memberText } from './json.ts';

it.each<[string, (string | number)[], string | undefined]>([
  ['{"a":1}', ['a'], '1'],
  [' { "a" : [ 1 , {"b": 2.0} ] } ', ['a'], '[ 1 , {"b": 2.0} ]'],
  [' { "a" : [ 1 , {"b": 2.0} ] } ', ['a', 1, 'b'], '2.0'],
  [' [1, 2] ', [], '[1, 2]'],
  // Of a repeated key, the last counts.
  ['{"a":1,"a":2}', ['a'], '2'],
  ['{"a":{"b":1},"a":{"c":2}}', ['a', 'b'], undefined],
  ['{"\\u0061":1}', ['a'], '1'],
  // A quote after an even number of backslashes ends a text.
  [String.raw`{"a\\":1,"b":2}`, ['a\\'], '1'],
  [String.raw`{"a\\":1,"b":2}`, ['b'], '2'],
  [String.raw`{"a":"\"}","b":2}`, ['a'], String.raw`"\"}"`],
  [String.raw`{"a":"\\\"","b":2}`, ['b'], '2'],
  ['{"a":"}]","b":[]}', ['b'], '[]'],
  ['{"a":{"c":"}]"},"b":["]",2]}', ['a'], '{"c":"}]"}'],
  ['{"a":{"c":"}]"},"b":["]",2]}', ['b', 1], '2'],
  ['{\n"a"\r:\t1\n,\r"b"\t:[\n2\r,3\t]\n}', ['a'], '1'],
  ['{\n"a"\r:\t1\n,\r"b"\t:[\n2\r,3\t]\n}', ['b', 1], '3'],
  ['[true,null,-1e5]', [2], '-1e5'],
  ['[[1],[2,3]]', [1, 1], '3'],
  ['{"a":1}', ['b'], undefined],
  ['[1]', [1], undefined],
  ['{"0":1}', [0], undefined],
  ['[1]', ['0'], undefined],
  ['{}', ['a'], undefined],
  ['{"toString":1}', ['toString'], '1'],
  ['{}', ['toString'], undefined],
])('of %s, the text at %j is %j', (text, path, found) => {
  expect(memberText(text, path)).toBe(found);
});

it.each([
  ['[]', []],
  [' [ ] ', []],
  ['[1]', ['1']],
  [' [ 1 , "a,]" ,[2,3],{"b":4} ] ', ['1', '"a,]"', '[2,3]', '{"b":4}']],
  [String.raw`["a\\","b\""]`, [String.raw`"a\\"`, String.raw`"b\""`]],
  ['[1.0,1e999]', ['1.0', '1e999']],
])('the elements of %s are %j', (text, elements) => {
  expect(elementTexts(text)).toEqual(elements);
});

it.each([
  ['"a"', 2],
  [String.raw`"\\"`, 3],
  [String.raw`"\\\""x`, 5],
  [String.raw`"a\"`, 4],
  ['"a', 2],
])('the string %s ends at %i', (text, end) => {
  expect(endOfString(text, 0)).toBe(end);
});
